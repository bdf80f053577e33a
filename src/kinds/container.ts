/**
 * Defines the kind for databases, schemas, folders and other containers. Their ids are generated, so manifests refer to them by
 * URN.
 */

import { nonEmptyString } from "../model/identifier.ts";
import { aspectIn } from "../model/answer.ts";
import type { JsonObject } from "../model/json.ts";
import { isUrn, keyOf, plainKeyOf } from "../model/urn.ts";
import { editedDescription, identityIn, typedOfAssets } from "./build.ts";
import type { Kind } from "./kind.ts";
import { type MatchedBy, matchKeysOf, type ObservedKey } from "./match-key.ts";

/** DataHub's placeholder for an unknown platform (ContainerMapper.java). */
const unknownPlatform = "unknown";

/** The match keys whose values are read from a container's aspects. For other kinds, the URN contains these values. */
const readFromAspects: Readonly<Partial<Record<string, Partial<MatchedBy>>>> = {
  platform: { field: "platform", observe: platformIn },
  name: { field: "named", observe: nameIn },
};

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
  examples: { description: ["All tables in the finance database."] },
  storage: {},
  matchedBy: matchKeysOf(["platform", "platform_instance", "name", "urn", "container", "subtype"]).map(
    (each) => ({ ...each, ...readFromAspects[each.key] }),
  ),
  matching: { indexed: { platform: "platform", container: "container", subtype: "typeNames" } },
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

function platformIn(aspects: JsonObject): ObservedKey {
  const { platform } = aspectIn(aspects, "dataPlatformInstance");
  const id = isUrn(platform) ? keyOf(platform) : unknownPlatform;
  return id === unknownPlatform ? {} : { platform: id };
}

function nameIn(aspects: JsonObject): ObservedKey {
  const { name } = aspectIn(aspects, "containerProperties");
  return typeof name === "string" ? { name } : {};
}
