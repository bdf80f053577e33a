/** Defines the facet `owners`: pairs of an owner and an ownership type. */

import { kinds } from "../kinds/index.ts";
import { groupBy } from "../model/group-by.ts";
import { referenceSchema, idOrUrn, urnOfId } from "../model/identifier.ts";
import { isJsonObject, type JsonObject, textOf } from "../model/json.ts";
import type { Request } from "../model/operation.ts";
import type { Member, Scalar } from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { aspectIn, storedList } from "../model/answer.ts";
import { answered } from "./answered-aspects.ts";
import { attributionSource, mutation, setFacet, textsOfReference } from "./build.ts";
import { fieldOf } from "./capabilities.ts";
import {
  isOwnershipTypeEntity,
  isOwnershipTypeName,
  nameOfOwnershipType,
  ownershipTypeInput,
  ownershipTypeNames,
  urnOfOwnershipTypeName,
} from "./ownership-types.ts";
import { type Parsing, type Refusal, refuseUrn } from "./parsing.ts";
import { entriesOf, type OwnerMember, storedForm, storedMember } from "./stored-owners.ts";

const otherTypeNames = ownershipTypeNames.filter((name) => name !== "TECHNICAL_OWNER");

const ownerSchema: JsonObject = {
  type: "object",
  properties: {
    user: {
      ...referenceSchema("corpuser"),
      description: "A user, by id or URN.",
      examples: ["alice@acme.com"],
    },
    group: {
      ...referenceSchema("corpGroup"),
      description: "A group, by id or URN.",
      examples: ["finance-data"],
    },
    type: {
      ...referenceSchema("ownershipType"),
      default: "TECHNICAL_OWNER",
      description: `The ownership type: ${ownershipTypeNames.join(", ")}, or the id or URN of a custom type.`,
      examples: ["TECHNICAL_OWNER", "urn:li:ownershipType:architect", ...otherTypeNames],
    },
  },
  oneOf: [{ required: ["user"] }, { required: ["group"] }],
  additionalProperties: false,
};

const schema: JsonObject = {
  type: "array",
  description: "The owners: users or groups, each with an ownership type. `[]` means no owners.",
  examples: [[{ group: "finance-data" }, { user: "alice@acme.com", type: "DATA_STEWARD" }], []],
  items: ownerSchema,
};

/** The owners of an entity. A user or group can have several ownership types for the same entity. */
export const owners = setFacet<OwnerMember>({
  name: "owners",
  kinds: kinds.filter(({ ownable }) => ownable).map(({ name }) => name),
  refersTo: ["corpuser", "corpGroup", "ownershipType"],
  isReference: isOwnershipTypeEntity,
  relationship: "OwnedBy",
  privilege: { name: "EDIT_ENTITY_OWNERS", title: "Edit Owners" },
  schema,
  schemaFor: {
    Group: {
      ...schema,
      items: {
        if: { type: "object" },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: ownerSchema,
        else: referenceSchema("corpuser"),
      },
    },
  },
  storedIn: () => "ownership",
  answered: () => [answered.ownership],
  // A plain id refers to a user, as in DataHub's own YAML format for groups. Only the schema for groups allows plain ids.
  parse: (written) => parseOwner(isJsonObject(written) ? written : { user: written }),
  written: ({ owner, type }) => ({
    [isUserUrn(owner) ? "user" : "group"]: idOf(owner),
    ...(type !== defaultType && { type: writtenType(type) }),
  }),
  wording: { gains: "becomes an owner of", loses: "is no longer an owner of", subjectOf: ownerIn },
  isOwnership: true,
  listing: {
    isColumn: true,
    isCounted: true,
    options: [
      {
        name: "owner",
        argument: "<id>",
        description: "with this owner; `me` means the token's user",
        entityTypes: ["corpuser", "corpGroup"],
        isGrouping: true,
        takesMe: true,
        textsOf: (value) => textsOfReference(ownerIn(value)),
      },
      {
        name: "type",
        argument: "<type>",
        description:
          "with an owner of this type, such as DATA_STEWARD; with --owner, that owner must have this type",
        entityTypes: ["ownershipType"],
        textsOf: (value) => [nameOfOwnershipType(typeIn(value)), ...textsOfReference(typeIn(value))],
      },
    ],
    cellOf: (value) => `${ownerIn(value)} (${nameOfOwnershipType(typeIn(value))})`,
  },
  ownershipTypeOf: (value) => [writtenType(typeIn(value)), typeIn(value)],
  format: ({ owner, type }, called) => {
    const name = nameOfOwnershipType(type);
    return `${called(owner)} as ${name === type ? called(type) : name}`;
  },
  observe: (aspects) => storedList(aspectIn(aspects, "ownership")["owners"], "the owners").map(storedMember),
  add: ({ urn }, members) =>
    members.map((member) => ({ elements: [member], request: addOwner(urn, member) })),
  remove: ({ urn }, members) =>
    [...groupBy(members, ({ type }) => type)].map(([type, elements]) => ({
      elements,
      request: removeOwners(urn, type, elements),
    })),
  editing: {
    aspect: () => "ownership",
    edits: (_place, add, remove) => [
      {
        at: ["owners"],
        add: add.map((member) => ({ element: storedForm(member), unless: entriesOf(member) })),
        remove: remove.flatMap(entriesOf),
        attribution: fieldOf("owner-attribution"),
        stamp: "lastModified",
        // DataHub's template treats two custom types of the same owner as equal (OwnershipTemplate.java).
        keys: { template: ["owner", "type"], own: [attributionSource, "owner", "typeUrn", "type"] },
      },
    ],
  },
});

const defaultType = urnOfOwnershipTypeName("TECHNICAL_OWNER");

function ownerIn(value: Member | Scalar): string {
  return isJsonObject(value) ? textOf(value["owner"]) : "";
}

function typeIn(value: Member | Scalar): string {
  return isJsonObject(value) ? textOf(value["type"]) : "";
}

function isUserUrn(owner: string): boolean {
  return owner.startsWith("urn:li:corpuser:");
}

function idOf(urn: string): string {
  return isUrn(urn) ? idOrUrn(urn) : urn;
}

// Returns an ownership type in manifest notation. A custom type whose id resembles the name of a built-in type must be written as
// a URN.
function writtenType(type: string): string {
  const name = nameOfOwnershipType(type);
  if (name !== type) return name;
  const parsed = parseOwnershipType(idOf(type));
  return "urn" in parsed && parsed.urn === type ? idOf(type) : type;
}

function parseOwner(written: JsonObject): Parsing<OwnerMember> {
  const key = written["user"] === undefined ? "group" : "user";
  const entityType = key === "user" ? "corpuser" : "corpGroup";
  const text = textOf(written[key]);
  const owner = urnOfId(entityType, text);
  if ("fault" in owner) return refuseUrn(text, owner.fault, [key]);
  const type = parseOwnershipType(textOf(written["type"] ?? "TECHNICAL_OWNER"));
  if ("refusal" in type) return type;
  const references = [{ urn: owner.urn, entityType }];
  if (isOwnershipTypeEntity(type.urn)) references.push({ urn: type.urn, entityType: "ownershipType" });
  return { value: { owner: owner.urn, type: type.urn }, references };
}

function parseOwnershipType(text: string): { readonly urn: Urn } | { readonly refusal: Refusal } {
  if (text === "CUSTOM") return { refusal: { code: "custom-ownership-type", args: { text }, at: ["type"] } };
  const known = ownershipTypeNames.includes(text);
  // An uppercase word, or a variant spelling such as "Data Steward", is almost always a misspelled name. A custom type with such
  // an id can still be written as a URN.
  if (!known && (/^[A-Z][A-Z_]*$/.test(text) || isOwnershipTypeName(text))) {
    const misspelt = { text, names: ownershipTypeNames };
    return { refusal: { code: "unknown-ownership-type", args: { text }, at: ["type"], misspelt } };
  }
  const result = urnOfId("ownershipType", known ? urnOfOwnershipTypeName(text) : text);
  return "fault" in result ? refuseUrn(text, result.fault, ["type"]) : result;
}

function addOwner(resourceUrn: Urn, member: OwnerMember): Request {
  const ownerEntityType = member.owner.startsWith("urn:li:corpGroup:") ? "CORP_GROUP" : "CORP_USER";
  const value = { ownerUrn: member.owner, ownerEntityType, resourceUrn, ...ownershipTypeInput(member.type) };
  return mutation("addOwner", "AddOwnerInput!", value);
}

// Always sends the type. Without a type, the server would remove the owner with all of its types (OwnerServiceUtils.java).
function removeOwners(resourceUrn: Urn, type: string, members: readonly OwnerMember[]): Request {
  const ownerUrns = members.map(({ owner }) => owner);
  const value = { ownerUrns, ownershipTypeUrn: type, resources: [{ resourceUrn }] };
  return mutation("batchRemoveOwners", "BatchRemoveOwnersInput!", value);
}
