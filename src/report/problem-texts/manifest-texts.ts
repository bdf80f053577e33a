import type { ManifestProblems } from "../../model/problem-codes/manifest-problems.ts";
import { foundNouns } from "./file-texts.ts";
import { choice, code, nounOf, type ProblemTexts, withArticle } from "./problem-text.ts";

const expectedNouns: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "a mapping",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

/** Every facet has its name in a message. */
const mostNames = 30;

/** Problems of what stands in a manifest. */
export const manifestTexts: ProblemTexts<ManifestProblems> = {
  "unknown-field": {
    meaning: "A manifest, or a mapping in it, has a field that does not exist there.",
    message: (args) =>
      `${placeOf(args)} ${args.in === "settings" ? "have" : "has"} no field ${code(args.field)}${knownFields(args)}`,
  },
  "missing-field": {
    meaning: "A field that must be there is missing.",
    message: (args) => `${placeOf(args)} ${args.in === "settings" ? "need" : "needs"} ${code(args.field)}`,
  },
  "null-value": {
    meaning:
      'A key has no value. That could mean "leave alone" or "nothing", so one of them must be written.',
    message: nullMessage,
    namesWrite: true,
  },
  "wrong-type": {
    meaning:
      "A value is of another type: a number where an id belongs, one value instead of a list, and so on.",
    message: (args) =>
      `${code(args.field)} must be ${expectedNouns[args.expected] ?? args.expected}, and this is ${foundNouns[args.found]}${args.found === "number" && args.expected === "string" ? " until it is quoted" : ""}`,
  },
  "unknown-value": {
    meaning: "A field takes one of several words, and this is none of them.",
    message: (args) =>
      `${code(args.field)} cannot be ${code(args.value)}${
        args.suggestion === undefined ? `: it is ${choice(args.allowed, mostNames)}` : ""
      }`,
  },
  "empty-text": {
    meaning: "A text is empty.",
    message: (args) =>
      `${code(args.field)} is an empty text: ${
        args.none === undefined ? "fill it in" : `write ${code(args.none)} to unset it, or remove the key`
      }`,
  },
  "invalid-value": {
    meaning: "A value does not fit its field in another way.",
    message: (args) => `${code(args.field)} ${args.reason}`,
  },
  "one-of-fields": {
    meaning:
      "A mapping has none, or more than one, of the fields of which it needs exactly one: an owner is a user or a group.",
    message: (args) =>
      `${code(args.field)} takes exactly one of ${args.fields
        .map((field) => `\`${field}\``)
        .join(" and ")}, and has ${args.found.length === 0 ? "neither" : "both"}`,
  },
  "missing-one-of": {
    meaning:
      "A mapping has none of the fields of which it needs one: an ignore rule has `value`, `urn` or both.",
    message: (args) => `${code(args.field)} needs ${choice(args.fields)}`,
  },
  "out-of-range": {
    meaning: "A number is too small or too large for its field.",
    message: (args) =>
      `${code(args.field)} must be ${args.minimum} ${
        args.maximum === undefined ? "or more" : `to ${args.maximum}`
      }, and this is ${args.value}`,
  },
  "conflicting-fields": {
    meaning: "Two fields exclude each other: a dataset is named by its URN or by its parts.",
    message: (args) =>
      `${code(args.field)} cannot stand beside ${code(args.other)}, which says it already: keep one of them`,
  },
  "cannot-be-unset": {
    meaning: "`none` stands at a field that always has a value.",
    message: (args) =>
      `${code(args.field)} cannot be unset: give it a value, or remove the key (a name that reads "none" must be quoted)`,
  },
  "malformed-colour": {
    meaning: "The colour of a tag is none that can be drawn.",
    message: (args) => `${code(args.text)} is no colour: write it in hexadecimal digits, \`"#C0392B"\` say`,
  },
  "malformed-urn": {
    meaning: "An id or URN that DataHub would refuse.",
    message: (args) => `${code(args.text)} is no URN that DataHub takes: ${urnFault(args)}`,
  },
  "wrong-reference": {
    meaning: "A URN of another kind stands where, say, a tag belongs.",
    message: (args) =>
      `${code(args.text)} is not the URN of ${withArticle(nounOf(args.expected))}: it must begin with \`urn:li:${args.expected}:\``,
  },
  "unknown-ownership-type": {
    meaning: "An ownership type in upper case that DataHub does not have.",
    message: (args) =>
      `DataHub has no ownership type ${code(args.text)}; a custom one that is called so is written \`urn:li:ownershipType:${args.text}\``,
  },
  "custom-ownership-type": {
    meaning: "`CUSTOM` stands as ownership type without saying which.",
    message: () => "`CUSTOM` does not say which type: write the id or URN of the ownership type",
  },
  "duplicate-entity": {
    meaning: "Two manifests declare the same entity; both places are named. They are compared as URNs.",
    message: (args) =>
      `the ${args.kind.toLowerCase()} ${code(args.urn)} is declared twice: put all of it into one manifest`,
  },
  "duplicate-element": {
    meaning: "A list holds the same element twice; both places are named.",
    message: (args) => `${code(args.field)} lists ${code(args.element)} twice: keep one`,
  },
  "cyclic-domains": {
    meaning: "Parent domains go in a circle.",
    message: (args) => `these parent domains go in a circle: ${circleOf(args.cycle)}`,
  },
  "contradicting-membership": {
    meaning: "A user's `groups` and a group's `members` contradict each other; both places are named.",
    message: (args) =>
      args.by === "user"
        ? `${code(args.user)} lists the group ${code(args.group)}, whose \`members\` leave the user out: declare it on one side, or on both`
        : `${code(args.group)} lists the member ${code(args.user)}, whose \`groups\` leave the group out: declare it on one side, or on both`,
  },
  "undeclared-reference": {
    meaning:
      "Warning: something is referred to that no manifest declares, though others of its kind are declared. It may be a slip, or live only in the catalog.",
    message: (args) =>
      `the ${args.kind.toLowerCase()} ${code(args.id)} is not declared here${
        args.times > 1 ? ` (${args.times} places)` : ""
      }`,
  },
  "undeclared-references": {
    meaning: "Warning: the same for many of a kind, in one line.",
    message: (args) =>
      `${args.count} ${args.kind.toLowerCase()}s are referred to and not declared here: ${choice(args.ids, 5).replace(/ or (?=`[^`]*`$)/, ", ")}${
        args.count > args.ids.length ? ", …" : ""
      }`,
  },
  "ignored-value": {
    meaning:
      "Warning: a value is declared that an ignore rule of the settings covers, so it is never written. Both places are named.",
    message: (args) =>
      `${code(args.value)} in ${code(args.facet)} is ignored by the settings${because(args)}: remove it here, or narrow the rule`,
  },
  "ignored-facet": {
    meaning:
      "Warning: a facet is declared that an ignore rule of the settings covers, whatever its value. Both places are named.",
    message: (args) =>
      `${code(args.facet)} of ${code(args.urn)} is ignored by the settings${because(args)}: remove it here, or narrow the rule`,
  },
  "ignored-entity": {
    meaning:
      "Warning: an entity is declared that an ignore rule of the settings covers as a whole. Both places are named.",
    message: (args) =>
      `the ${args.kind.toLowerCase()} ${code(args.urn)} is ignored by the settings${because(args)}: remove its manifest, or narrow the rule`,
  },
};

function because(args: { readonly reason: string }): string {
  return ` (${args.reason})`;
}

function circleOf(urns: readonly string[]): string {
  const ids = urns.map((urn) => urn.replace("urn:li:domain:", ""));
  const shown = ids.length > 12 ? [...ids.slice(0, 10), "…", ids[0] ?? ""] : ids;
  return shown.join(" → ");
}

function placeOf(args: { readonly in: string }): string {
  const name = args.in;
  if (name === "settings") return "the settings";
  return /^[A-Z]/.test(name) ? withArticle(name) : `\`${name}\``;
}

function knownFields(args: ManifestProblems["unknown-field"]): string {
  const { known = [] } = args;
  if (args.suggestion !== undefined || known.length === 0) return "";
  if (args.in === "settings")
    return `, as far as this version knows: there are ${choice(known)}`.replace(/ or (?=`[^`]*`$)/, " and ");
  return `: there are ${choice(known, mostNames).replace(/ or (?=`[^`]*`$)/, " and ")}`;
}

function nullMessage(args: ManifestProblems["null-value"]): string {
  const field = code(args.field);
  switch (args.expected) {
    case "element":
      return `${field} has no value: write one after the dash, or remove the dash`;
    case "comment":
      return `${field} has no value, because an unquoted \`#\` begins a comment`;
    case "identity":
      return `${field} has no value: write one`;
    case "array":
      return `${field} has no value: write ${code(args.write ?? "")} for none at all, or remove the key to leave it alone`;
    case "object":
      return `${field} has no value: write what belongs in it, or remove the key to leave it alone`;
    default:
      return args.write === undefined
        ? `${field} has no value: write one, or remove the key`
        : `${field} has no value: write ${code(args.write)} to unset it, or remove the key to leave it alone`;
  }
}

function urnFault(args: ManifestProblems["malformed-urn"]): string {
  const detail = code(args.detail ?? "");
  const faults: Readonly<Record<typeof args.reason, string>> = {
    prefix: "it must be `urn:li:`, an entity type, a colon and a key",
    "white-space": "white space stands at its beginning or end",
    "empty-key": "nothing stands after the entity type",
    brackets: "its brackets are not balanced",
    length: "it is longer than 512 bytes when encoded",
    "dataset-parts": "the key of a dataset is `(urn:li:dataPlatform:<platform>,<name>,<ENV>)`",
    platform: `${detail} is no data platform`,
    fabric: `${detail} is no environment (PROD, DEV, TEST, …)`,
  };
  return faults[args.reason];
}
