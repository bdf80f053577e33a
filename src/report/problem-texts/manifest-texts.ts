import { nounOf, nounOfType, pluralOf } from "../../kinds/index.ts";
import type { ManifestProblems } from "../../model/problem-codes.ts";
import { foundNouns } from "./file-texts.ts";
import {
  choice,
  code,
  cycleOf,
  namedText,
  pluralIn,
  type ProblemTexts,
  withArticle,
} from "./problem-text.ts";

const expectedNouns: Readonly<Record<string, string>> = {
  string: "a string",
  array: "a list",
  object: "a mapping",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

/** Every facet has its name in a message. */
const mostNames = 30;

/** Problems with the content of a manifest. */
export const manifestTexts: ProblemTexts<ManifestProblems> = {
  "unknown-field": {
    meaning: "A manifest, or a mapping in it, has a field that does not exist.",
    message: (args) =>
      `${placeOf(args)} ${args.in === "settings" ? "have" : "has"} no field ${code(args.field)}${knownFields(args)}`,
  },
  "missing-field": {
    meaning: "A required field is missing.",
    message: (args) =>
      `${placeOf(args)} ${args.in === "settings" ? "require" : "requires"} the field ${code(args.field)}`,
  },
  "null-value": {
    meaning:
      'A key has no value. This is ambiguous: it could mean "leave alone" or "nothing". Write which one is meant.',
    message: nullMessage,
    namesWrite: true,
  },
  "wrong-type": {
    meaning:
      "A value has the wrong type: a number instead of a string, a single value instead of a list, and so on.",
    message: ({ field, expected, found }) =>
      `${code(field)} must be ${expectedNouns[expected] ?? expected}, but is ${foundNouns[found]}${found === "number" && expected === "string" ? "; quote it" : ""}`,
  },
  "unknown-value": {
    meaning: "The value of a field is not one of its allowed values.",
    message: ({ field, value, suggestion, allowed }) =>
      `${code(field)} cannot be ${code(value)}${
        suggestion === undefined ? `: it must be ${choice(allowed, mostNames)}` : ""
      }`,
  },
  "invisible-character": {
    meaning:
      "Warning: an id, name or reference holds a character that is not seen, so it looks like another one. Emoji are left alone, and so are descriptions.",
    message: ({ field, character }) =>
      `${code(field)} holds ${character}, which is not seen: remove it, or it names something else than it seems to`,
  },
  "empty-text": {
    meaning: "A string is empty.",
    message: ({ field, none }) =>
      `${code(field)} is an empty string: ${
        none === undefined ? "write a value" : `write ${code(none)} to unset it, or remove the key`
      }`,
  },
  "empty-list": {
    meaning: "A list of patterns is empty, so that it could never match.",
    message: ({ field }) => `${code(field)} is an empty list: write a pattern, or remove the key`,
  },
  "empty-mapping": {
    meaning: "A mapping that must say something is empty: for example, `not` in a rule.",
    message: ({ field }) => `${code(field)} is empty: write a key, or remove it`,
  },
  "match-by-facet": {
    meaning:
      "A rule matches by something that rules declare, such as tags. Then the order of the rules would decide what they match, so a rule matches only by what no rule can change.",
    message: ({ field, known }) =>
      `${code(field)}: a rule cannot match by what rules declare, because then their order would decide; it can match by ${choice(known)}`,
  },
  "match-not-of-kind": {
    meaning: "A rule has a key that its kind does not have: containers have no environment and no columns.",
    message: ({ field, key, kinds }) =>
      `${field === key ? "" : `${code(field)}: `}${kinds} have no ${code(key)}; remove it`,
  },
  "misplaced-facets": {
    meaning: "A rule has what it declares beside `declare`, not below it.",
    message: ({ fields }) =>
      `${choice(fields).replace(/ or (?=`[^`]*`$)/, " and ")} of a rule must be below \`declare\``,
  },
  "empty-rule": {
    meaning: "A rule declares nothing.",
    message: ({ rule, fields }) =>
      `rule ${code(rule)} declares nothing: write ${code("declare")} with ${choice(fields)}`,
  },
  "duplicate-rule": {
    meaning: "Two rules have the same id. Both places are named.",
    message: ({ rule }) => `another rule has the id ${code(rule)}: give each its own`,
  },
  "unknown-rule": {
    meaning: "`exempt` names a rule that does not exist.",
    message: ({ rule }) => `${code("exempt")}: no rule has the id ${code(rule)}`,
  },
  "invalid-value": {
    meaning: "A value is not valid for its field for another reason.",
    message: ({ field, reason }) => `${code(field)} ${reason}`,
  },
  "one-of-fields": {
    meaning:
      "A mapping needs exactly one of several fields, but has none of them or more than one. For example, an owner is a user or a group.",
    message: ({ field, fields, found }) =>
      `${code(field)} must have exactly one of ${fields
        .map((each) => `\`${each}\``)
        .join(" and ")}, but has ${found.length === 0 ? "neither" : "both"}`,
  },
  "missing-one-of": {
    meaning:
      "A mapping needs at least one of several fields, but has none of them. For example, an ignore rule has `value`, `urn` or both.",
    message: ({ field, fields }) => `${code(field)} must have ${choice(fields)}`,
  },
  "out-of-range": {
    meaning: "A number is too small or too large for its field.",
    message: ({ field, value, minimum, maximum }) =>
      `${code(field)} must be ${
        maximum === undefined ? `${minimum} or more` : `from ${minimum} to ${maximum}`
      }, but is ${value}`,
  },
  "conflicting-fields": {
    meaning: "Two fields exclude each other. For example, a dataset is named by its URN or by its parts.",
    message: ({ field, other }) => `${code(field)} conflicts with ${code(other)}: keep only one of them`,
  },
  "cannot-be-unset": {
    meaning: "The value is `none`, but the field cannot be unset.",
    message: ({ field }) =>
      `${code(field)} cannot be unset: write a value, or remove the key (to use the name "none", quote it)`,
  },
  "malformed-colour": {
    meaning: "The color of a tag is not a valid hexadecimal color.",
    message: ({ text }) => `${code(text)} is not a valid color: write it in hexadecimal, like \`"#C0392B"\``,
  },
  "insecure-link": {
    meaning:
      "Warning: a link begins with `http:` or another scheme. DataHub 1.6.0.1 and later accept only `https:` links.",
    message: ({ field, text }) =>
      `${code(field)} is ${code(text)}: DataHub 1.6.0.1 and later accept only links that begin with \`https:\``,
  },
  "looks-wrong": {
    meaning:
      "Warning: a value that DataHub takes is probably not what was meant: an e-mail address without `@`, a country that is no code of two letters, or a data platform whose id DataHub has in lower case.",
    message: ({ field, text, expected }) => `${code(field)} is ${code(text)}, but should be ${expected}`,
  },
  "private-link": {
    meaning:
      "Warning: the host of a link is private: a private address, `localhost`, a name without a dot, or one that ends in `.local` or another suffix of local networks. DataHub 1.6.0.1 and later load pictures themselves and refuse such hosts, and also those that they cannot resolve.",
    message: ({ field, text }) =>
      `${code(field)} is ${code(text)}: DataHub 1.6.0.1 and later accept only links to public hosts`,
  },
  "malformed-urn": {
    meaning: "An id or URN is not valid in DataHub.",
    message: (args) => `${code(args.text)} is not a valid URN: ${urnFault(args)}`,
  },
  "wrong-reference": {
    meaning: "A URN has the wrong entity type: for example, the URN of a user where a tag is expected.",
    message: ({ text, expected }) =>
      `${code(text)} is not the URN of ${withArticle(nounOfType(expected))}: it must begin with \`urn:li:${expected}:\``,
  },
  "unknown-ownership-type": {
    meaning:
      "An ownership type is not one of DataHub's, but is in upper case as they are, or one of them in another spelling, such as `Data Steward`.",
    message: ({ text }) =>
      `unknown ownership type ${code(text)}: for a custom type of that name, write \`urn:li:ownershipType:${text}\``,
  },
  "custom-ownership-type": {
    meaning: "The ownership type is `CUSTOM`, which does not name a type.",
    message: () => "`CUSTOM` does not name an ownership type: write the id or URN of the type",
  },
  "duplicate-entity": {
    meaning: "Two records of a file declare the same entity, compared by URN. Both places are named.",
    message: ({ kind, urn }) => `${nounOf(kind)} ${code(urn)} has two records: merge them into one`,
  },
  "duplicate-facet": {
    meaning:
      "Two manifests of one entity, compared by URN, declare different values of a field that has a single value. Both places are named. Lists of several manifests are no problem: they unite.",
    message: ({ kind, urn, facet, column }) =>
      `${column === undefined ? "" : `column ${code(column)}: `}${code(facet)} of ${nounOf(kind)} ${code(urn)} has another value in another manifest: keep one of them`,
  },
  "conflicting-modes": {
    meaning: "Two manifests of one entity give one facet different modes. Both places are named.",
    message: ({ kind, urn, facet }) =>
      `${code(facet)} of ${nounOf(kind)} ${code(urn)} has another mode in another manifest: keep one of them`,
  },
  "duplicate-element": {
    meaning: "A list contains the same element twice. Both places are named.",
    message: ({ field, element }) => `${code(field)} lists ${code(element)} twice: keep one`,
  },
  "parent-cycle": {
    meaning: "An entity is above itself: the parents that are declared form a cycle.",
    message: ({ cycle }) => `the parents of ${pluralIn(cycle)} form a cycle: ${cycleOf(cycle)}`,
  },
  "contradicting-membership": {
    meaning: "A user's `groups` and a group's `members` contradict each other. Both places are named.",
    message: ({ by, user, group }) =>
      by === "user"
        ? `${code(user)} lists the group ${code(group)}, but the \`members\` of the group do not include the user: declare the membership on one side only, or on both`
        : `${code(group)} lists the member ${code(user)}, but the \`groups\` of the user do not include the group: declare the membership on one side only, or on both`,
  },
  "undeclared-reference": {
    meaning:
      "Warning: a manifest refers to an entity that no manifest declares, while other entities of that kind are declared. The reference may be misspelt, or the entity may exist only in the catalog.",
    message: ({ kind, id, times, named }) =>
      `${nounOf(kind)} ${code(id)} is not declared in these manifests${times > 1 ? ` (${times} references)` : ""}${
        named ? `; ${namedText(kind, id, named)}` : ""
      }`,
  },
  "undeclared-references": {
    meaning: "Warning: the same for many entities of one kind, as a single warning.",
    message: ({ kind, count, ids }) =>
      `${count} ${pluralOf(kind)} are not declared in these manifests: ${choice(ids, 5).replace(/ or (?=`[^`]*`$)/, ", ")}${
        count > ids.length ? ", …" : ""
      }`,
  },
  "ignored-value": {
    meaning:
      "Warning: an ignore rule of the settings covers a declared value, so it is never written. Both places are named.",
    message: ({ value, facet, reason }) =>
      `${code(value)} in ${code(facet)} is ignored by the settings (${reason}): remove it here, or narrow the rule`,
  },
  "ignored-facet": {
    meaning:
      "Warning: an ignore rule of the settings covers every value of a declared facet. Both places are named.",
    message: ({ facet, urn, reason }) =>
      `${code(facet)} of ${code(urn)} is ignored by the settings (${reason}): remove it here, or narrow the rule`,
  },
  "ignored-entity": {
    meaning: "Warning: an ignore rule of the settings covers a whole declared entity. Both places are named.",
    message: ({ kind, urn, reason }) =>
      `${nounOf(kind)} ${code(urn)} is ignored by the settings (${reason}): remove its manifest, or narrow the rule`,
  },
};

function placeOf(args: { readonly in: string }): string {
  if (args.in === "settings") return "the settings";
  return /^[A-Z]/.test(args.in) ? withArticle(args.in) : `\`${args.in}\``;
}

function knownFields(args: ManifestProblems["unknown-field"]): string {
  const { known = [], suggestion } = args;
  if (suggestion !== undefined || known.length === 0) return "";
  const names = choice(known, mostNames).replace(/ or (?=`[^`]*`$)/, " and ");
  return args.in === "settings" ? `; fields of this version: ${names}` : `; fields: ${names}`;
}

function nullMessage({ field, expected, write }: ManifestProblems["null-value"]): string {
  const fault = `${code(field)} has no value`;
  switch (expected) {
    case "element":
      return `${fault}: write a value after the dash, or remove the dash`;
    case "comment":
      return `${fault}, because an unquoted \`#\` begins a comment: ${
        write === undefined ? "quote the value" : `write ${code(write)}`
      }`;
    case "identity":
      return `${fault}: write one`;
    case "array":
      return `${fault}: write ${code(write ?? "[]")} to remove all elements, or remove the key to leave it alone`;
    case "object":
      return `${fault}: write a mapping, or remove the key to leave it alone`;
    default:
      return write === undefined
        ? `${fault}: write one, or remove the key`
        : `${fault}: write ${code(write)} to unset it, or remove the key to leave it alone`;
  }
}

function urnFault({ reason, detail = "" }: ManifestProblems["malformed-urn"]): string {
  const faults: Readonly<Record<typeof reason, string>> = {
    prefix: "it must be `urn:li:<entity type>:<key>`",
    "white-space": "it must not end with white space",
    "empty-key": "the key after the entity type is empty",
    brackets: "its brackets are not balanced",
    separator: "it must not contain the character `\u241F`",
    parts: "its key must not be a list in brackets",
    length: "it is longer than 512 bytes when URL-encoded",
    "dataset-parts": "the key of a dataset must be `(urn:li:dataPlatform:<platform>,<name>,<ENV>)`",
    platform: `${code(detail)} is not a data platform`,
    fabric: `${code(detail)} is not an environment (PROD, DEV, TEST, …)`,
  };
  return faults[reason];
}
