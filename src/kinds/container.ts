import { nonEmptyString } from "../model/identifier.ts";
import { plainKeyOf } from "../model/urn.ts";
import { identityIn, type Kind } from "./kind.ts";
import { matchKeysWithoutEnv } from "./match-key.ts";

export const container: Kind<"Container"> = {
  name: "Container",
  plural: "containers",
  entityType: "container",
  typename: "Container",
  searchType: "CONTAINER",
  lifecycle: "observed",
  softDeletable: true,
  ownable: true,
  keeps: {},
  matchedBy: matchKeysWithoutEnv,
  fields: {
    urn: { ...nonEmptyString, description: "The full URN.", examples: ["urn:li:container:0a1b2c"] },
  },
  constraints: { required: ["urn"] },
  urnOf: (document) => identityIn(document, "urn", "container"),
  identityOf: (urn) => ({ urn }),
  pathOf: (urn) => [plainKeyOf(urn)],
  initial: () => ({}),
};
