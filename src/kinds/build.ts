/** Builds the properties that several kinds share. */

import { nonEmptyString, idOrUrn, urnOfId } from "../model/identifier.ts";
import { type JsonObject, textOf } from "../model/json.ts";
import { plainKeyOf } from "../model/urn.ts";
import type { Identity, Kind, Privilege, TypedAspect } from "./kind.ts";

/** The aspects whose presence in a response shows that the token may view an asset. */
export const typedOfAssets: readonly TypedAspect[] = [
  ["status", "status { __typename }"],
  ["ownership", "ownership { __typename }"],
  ["globalTags", "tags { __typename }"],
  ["glossaryTerms", "glossaryTerms { __typename }"],
];

/** The aspects whose presence in a response shows that the token may view a definition that has owners and links. */
export const typedOfDefinitions: readonly TypedAspect[] = [
  ["ownership", "ownership { __typename }"],
  ["institutionalMemory", "institutionalMemory { __typename }"],
];

/** The schema description for an asset's `description` field. */
export const editedDescription =
  "The editable description in DataHub. `none` removes it, so DataHub shows the ingested description again.";

/** The privilege that a token needs to write users and groups. */
export const manageIdentities: Privilege = {
  name: "MANAGE_USERS_AND_GROUPS",
  title: "Manage Users & Groups",
};

/**
 * Builds the common properties of kinds whose entities are identified by `id`. `what` is the noun, and `example` is an example
 * id.
 */
export function identifiedById(
  entityType: string,
  what: string,
  example: string,
): Pick<Kind, "entityType" | "fields" | "constraints" | "urnOf" | "identityOf" | "pathOf"> {
  return {
    entityType,
    fields: {
      id: {
        ...nonEmptyString,
        description: `The id or full URN of the ${what}. Changing the id makes it a different ${what}.`,
        examples: [example, `urn:li:${entityType}:${example}`],
      },
    },
    constraints: { required: ["id"] },
    urnOf: (document) => identityIn(document, "id", entityType),
    identityOf: (urn) => ({ id: idOrUrn(urn) }),
    pathOf: (urn) => [plainKeyOf(urn)],
  };
}

/** Reads the identity from a document field that contains an id or a URN. */
export function identityIn(document: JsonObject, field: string, entityType: string): Identity {
  const result = urnOfId(entityType, textOf(document[field]));
  return "urn" in result ? result : { ...result, field };
}
