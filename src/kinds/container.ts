/** The kind of databases, schemas, folders and other groups of assets. Their names are generated, so manifests write URNs. */

import { nonEmptyString } from "../model/identifier.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Asset } from "../model/rule.ts";
import { isUrn, keyOf, plainKeyOf } from "../model/urn.ts";
import { editedDescription, identityIn, type Kind, typedOfAssets } from "./kind.ts";
import { matchKeysOf } from "./match-key.ts";

/** DataHub's placeholder for an unknown platform (ContainerMapper.java). */
const unknownPlatform = "unknown";

export const container: Kind<"Container"> = {
  name: "Container",
  noun: "container",
  plural: "containers",
  entityType: "container",
  typename: "Container",
  searchType: "CONTAINER",
  page: "container",
  lifecycle: "observed",
  softDeletable: true,
  ownable: true,
  isDescribed: true,
  isDeprecatable: true,
  hasStructuredProperties: true,
  shell: {
    sign: "subTypes { __typename }",
    typed: [
      ...typedOfAssets,
      ["subTypes", "subTypes { __typename }"],
      ["container", "container { __typename }"],
    ],
    newer: {
      field: "Container.browsePathV2",
      typed: [["browsePathsV2", "browsePathV2 { __typename }"]],
    },
  },
  descriptions: { description: editedDescription },
  examples: { description: ["All tables of the finance database."] },
  storage: {},
  matchedBy: matchKeysOf(["platform", "platform_instance", "name", "urn", "container", "subtype"]),
  matching: {
    selection: "platform { urn } named: properties { name }",
    fromStored: [
      {
        aspect: "dataPlatformInstance",
        answer: ({ platform }) => ({ platform: platform ? { urn: platform } : null }),
      },
      { aspect: "containerProperties", answer: ({ name }) => ({ named: { name } }) },
    ],
    partsOf: (_urn, answered) => platformAndName(answered),
    indexed: { platform: "platform", container: "container", subtype: "typeNames" },
  },
  fields: {
    urn: {
      ...nonEmptyString,
      description: "The URN of the container.",
      examples: ["urn:li:container:0a1b2c"],
    },
  },
  constraints: { required: ["urn"] },
  namedBy: ["urn"],
  urnOf: (document) => identityIn(document, "urn", "container"),
  identityOf: (urn) => ({ urn }),
  pathOf: (urn) => [plainKeyOf(urn)],
  initial: () => ({}),
};

function platformAndName({ platform, named }: JsonObject): Pick<Asset, "platform" | "name"> {
  const urn = isJsonObject(platform) ? platform["urn"] : undefined;
  const id = isUrn(urn) ? keyOf(urn) : unknownPlatform;
  const name = isJsonObject(named) ? named["name"] : undefined;
  return { ...(id !== unknownPlatform && { platform: id }), ...(typeof name === "string" && { name }) };
}
