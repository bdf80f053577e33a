/** Defines the problems with the structure of documents: kinds, fields, types, and duplicates. */

import { orders, pii } from "./samples.ts";
import { all, choice, code, foundNouns, type FoundType, type Misspelled, withArticle } from "./text.ts";
import { problem, type Words } from "./problem.ts";

type NullValue = { field: string; expected: string; write?: string | undefined };

type UnknownField = Misspelled & { field: string; in: string; known?: readonly string[] };

type FacetOf = { kind: string; urn: string; facet: string };

const expectedNouns: Readonly<Record<string, string>> = {
  string: "a string",
  array: "a list",
  object: "a mapping",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

/** The maximum number of names in a list of choices. It is larger than the number of facets. */
const maxNames = 30;

export const documentProblems = {
  /** A document is neither a mapping nor a list of mappings. */
  "not-a-manifest": problem({
    message: ({ found }: { found: FoundType }) =>
      `a manifest must be a mapping with \`kind\`, but this is ${foundNouns[found]}`,
    samples: [{ found: "string" }, { found: "null" }],
  }),
  /** A record in a file for `user upsert` or `group upsert` is not a mapping. */
  "not-a-record": problem({
    message: ({ found }: { found: FoundType }) =>
      `a record must be a mapping with \`id\`, but this is ${foundNouns[found]}`,
    samples: [{ found: "array" }],
  }),
  /** A manifest has no `kind`. */
  "missing-kind": problem({
    message: ({ near, known }: Misspelled & { known: readonly string[]; near?: string | undefined }) =>
      near === undefined
        ? `\`kind\` is missing: it must be one of ${known.join(", ")}`
        : `\`kind\` is missing, and ${code(near)} is not a valid field`,
    samples: [{ known: ["Dataset", "Tag"] }, { known: ["Dataset", "Tag"], near: "knd" }],
  }),
  /** The `kind` of a manifest does not exist. */
  "unknown-kind": problem({
    message: ({ kind, known }: Misspelled & { kind: string; known: readonly string[] }) =>
      `unknown kind ${code(kind)}: it must be one of ${known.join(", ")}`,
    samples: [{ kind: "Table", known: ["Dataset", "Tag"] }],
  }),
  /** A manifest, or a mapping in it, has an unknown field. */
  "unknown-field": problem({
    message: (args: UnknownField) =>
      `${placeOf(args)} ${args.in === "settings" ? "have" : "has"} no field ${code(args.field)}${knownFields(args)}`,
    trait: "lists-fields",
    samples: [
      { field: "tag", in: "Dataset", known: ["domain", "tags"] },
      { field: "usr", in: "owners[0]" },
      { field: "policies", in: "settings", known: ["version", "manage"] },
    ],
  }),
  /** A required field is missing. */
  "missing-field": problem({
    message: (args: { field: string; in: string }) =>
      `${placeOf(args)} ${args.in === "settings" ? "require" : "requires"} the field ${code(args.field)}`,
    samples: [
      { field: "id", in: "User" },
      { field: "owners", in: "business glossary" },
      { field: "version", in: "settings" },
    ],
  }),
  /** A key has no value. This is ambiguous: it could mean "leave unmanaged" or "unset". */
  "null-value": problem({
    message: nullMessage,
    samples: [
      { field: "tags[1]", expected: "element" },
      { field: "color_hex", expected: "comment", write: 'color_hex: "#C0392B"' },
      { field: "id", expected: "identity" },
      { field: "tags", expected: "array", write: "tags: []" },
      { field: "columns", expected: "object" },
      { field: "domain", expected: "string", write: "domain: none" },
      { field: "urn", expected: "string" },
    ],
  }),
  /** A value has the wrong type: a number instead of a string, a single value instead of a list, and so on. */
  "wrong-type": problem({
    message: ({
      field,
      expected,
      found,
    }: {
      field: string;
      expected: string;
      found: FoundType;
      write?: string | undefined;
    }) =>
      `${code(field)} must be ${expectedNouns[expected] ?? expected}, but is ${foundNouns[found]}${found === "number" && expected === "string" ? ": quote it" : ""}`,
    samples: [
      { field: "id", expected: "string", found: "number" },
      { field: "tags", expected: "array", found: "string" },
      { field: "max_count", expected: "integer", found: "fraction" },
    ],
  }),
  /** The value of a field is not one of its allowed values. */
  "unknown-value": problem({
    message: ({
      field,
      value,
      found,
      suggestion,
      allowed,
    }: Misspelled & {
      field: string;
      value: string;
      found?: FoundType | undefined;
      allowed: readonly string[];
    }) =>
      `${code(field)} cannot be ${found === undefined ? code(value) : foundNouns[found]}${
        suggestion === undefined ? `: it must be ${choice(allowed, maxNames)}` : ""
      }`,
    samples: [
      { field: "match.kind", value: "array", found: "array", allowed: ["Dataset", "Chart"] },
      { field: "env", value: "PRDO", allowed: ["DEV", "PROD"] },
      { field: "env", value: "PRDO", allowed: ["DEV", "PROD"], suggestion: "PROD" },
    ],
  }),
  /** A string is empty. */
  "empty-text": problem({
    message: ({ field, none }: { field: string; none?: string }) =>
      `${code(field)} is an empty string: ${
        none === undefined ? "write a value" : `write ${code(none)} to unset it, or remove the key`
      }`,
    samples: [{ field: "id" }, { field: "domain", none: "domain: none" }],
  }),
  /**
   * A mapping needs exactly one of several fields, but has none of them or more than one. For example, an owner is either a user
   * or a group.
   */
  "one-of-fields": problem({
    message: ({
      field,
      fields,
      found,
    }: {
      field: string;
      fields: readonly string[];
      found: readonly string[];
    }) =>
      `${code(field)} must have exactly one of ${fields
        .map((each) => `\`${each}\``)
        .join(" and ")}, but has ${found.length === 0 ? "neither" : "both"}`,
    samples: [
      { field: "owners[0]", fields: ["user", "group"], found: [] },
      { field: "owners[0]", fields: ["user", "group"], found: ["user", "group"] },
    ],
  }),
  /**
   * A mapping needs at least one of several fields, but has none of them. For example, an ignore rule needs `value`, `urn` or
   * both.
   */
  "missing-one-of": problem({
    message: ({ field, fields }: { field: string; fields: readonly string[] }) =>
      `${code(field)} must have ${choice(fields)}`,
    samples: [{ field: "ignore[0]", fields: ["value", "urn"] }],
  }),
  /** Two fields are mutually exclusive. For example, a dataset is identified either by its URN or by its parts. */
  "conflicting-fields": problem({
    message: ({ field, other }: { field: string; other: string }) =>
      `${code(field)} conflicts with ${code(other)}: keep only one of them`,
    samples: [{ field: "name", other: "urn" }],
  }),
  /**
   * Two records in a file for `upsert`, or two entries in files to import, declare an entity with the same URN. Both places are
   * reported.
   */
  "duplicate-entity": problem({
    message: (
      { kind, urn, option }: { kind: string; urn: string; option?: string | undefined },
      { nounOf }: Words,
    ) =>
      `${nounOf(kind)} ${code(urn)} is declared twice: merge the two declarations, or give one of them a different id${
        option === undefined
          ? ""
          : `; or choose one with ${code(`${option} first`)} or ${code(`${option} last`)}`
      }`,
    samples: [
      { kind: "Tag", urn: pii },
      { kind: "Tag", urn: pii, option: "--keep" },
    ],
  }),
  /**
   * Two manifests for an entity with the same URN declare different values for a field that can have only one value. Both places
   * are reported. Lists from several manifests are not a problem, because they are combined.
   */
  "duplicate-facet": problem({
    message: ({ kind, urn, facet, column }: FacetOf & { column?: string }, { nounOf }: Words) =>
      `${code(facet)}${column === undefined ? "" : ` (column ${code(column)})`} of ${nounOf(kind)} ${code(urn)} has a different value in another manifest: keep only one of the two values`,
    samples: [
      { kind: "Tag", urn: pii, facet: "description" },
      { kind: "Dataset", urn: orders, facet: "columns.tags", column: "email" },
    ],
  }),
  /** Two manifests for the same entity set different modes for a facet. Both places are reported. */
  "conflicting-modes": problem({
    message: ({ kind, urn, facet }: FacetOf, { nounOf }: Words) =>
      `${code(facet)} of ${nounOf(kind)} ${code(urn)} has a different mode in another manifest: keep only one of the two modes`,
    samples: [{ kind: "Tag", urn: pii, facet: "description" }],
  }),
  /** A list contains the same element twice. Both places are reported. */
  "duplicate-element": problem({
    message: ({ field, element }: { field: string; element: string }) =>
      `${code(field)} lists ${code(element)} twice: keep one`,
    samples: [{ field: "tags", element: pii }],
  }),
};

function placeOf(args: { readonly in: string }): string {
  if (args.in === "settings") return "the settings";
  return /^[A-Z]| /.test(args.in) ? withArticle(args.in) : `\`${args.in}\``;
}

function knownFields(args: UnknownField): string {
  const { known = [], suggestion } = args;
  if (suggestion !== undefined || known.length === 0) return "";
  const names = all(known, maxNames);
  return args.in === "settings" ? `; the fields in this version are ${names}` : `; its fields are ${names}`;
}

function nullMessage({ field, expected, write }: NullValue): string {
  const fault = `${code(field)} has no value`;
  switch (expected) {
    case "element":
      return `${fault}: write a value after the dash, or remove the dash`;
    case "comment":
      return `${fault}, because an unquoted \`#\` begins a comment: ${
        write === undefined ? "quote the value" : `write ${code(write)}`
      }`;
    case "identity":
      return `${fault}: add one`;
    case "array":
      return `${fault}: write ${code(write ?? "[]")} to remove all elements, or remove the key to leave it unmanaged`;
    case "object":
      return `${fault}: write a mapping, or remove the key to leave it unmanaged`;
    default:
      return write === undefined
        ? `${fault}: add one, or remove the key`
        : `${fault}: write ${code(write)} to unset it, or remove the key to leave it unmanaged`;
  }
}
