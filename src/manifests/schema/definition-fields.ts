import { facetNamed } from "../../facets/index.ts";
import { textSchema } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { KindName } from "../../model/state.ts";

/** How a definition refers to others in one of its fields. */
export interface ReferenceField {
  readonly field: string;
  readonly list: boolean;
  readonly entityType: string;
}

/** Fields of definitions that refer to other entities, with what the checks between manifests need of them. */
export const referenceFields: Readonly<Record<KindName, readonly ReferenceField[]>> = {
  Domain: [{ field: "parent_domain", list: false, entityType: "domain" }],
  Tag: [],
  User: [{ field: "groups", list: true, entityType: "corpGroup" }],
  Group: [{ field: "members", list: true, entityType: "corpuser" }],
  Dataset: [],
  Container: [],
};

const ownersSchema = facetNamed("owners").schema ?? {};

/** JSON Schema of the owners of a group, whose own YAML at DataHub knows bare ids as well. */
export const groupOwners: JsonObject = {
  ...ownersSchema,
  items: {
    if: { type: "object" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: ownersSchema["items"],
    else: textSchema,
  },
};
