import type { ProblemArgs } from "../../model/problem.ts";
import { foundNoun } from "./file-texts.ts";
import { choice, listArg, nounOf, type ProblemTexts, quoted, textArg, withArticle } from "./problem-text.ts";

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
export const manifestTexts: ProblemTexts = {
  "unknown-field": {
    meaning: "A manifest, or a mapping in it, has a field that does not exist there.",
    message: (args) =>
      `${placeOf(args)} ${args["in"] === "settings" ? "have" : "has"} no field ${quoted(args, "field")}${knownFields(args)}`,
  },
  "missing-field": {
    meaning: "A field that must be there is missing.",
    message: (args) =>
      `${placeOf(args)} ${args["in"] === "settings" ? "need" : "needs"} ${quoted(args, "field")}`,
  },
  "null-value": {
    meaning:
      'A key has no value. That could mean "leave alone" or "nothing", so one of them must be written.',
    message: nullMessage,
  },
  "wrong-type": {
    meaning:
      "A value is of another type: a number where an id belongs, one value instead of a list, and so on.",
    message: (args) =>
      `${quoted(args, "field")} must be ${expectedNouns[textArg(args, "expected")] ?? textArg(args, "expected")}, and this is ${foundNoun(textArg(args, "found"))}${args["found"] === "number" && args["expected"] === "string" ? " until it is quoted" : ""}`,
  },
  "unknown-value": {
    meaning: "A field takes one of several words, and this is none of them.",
    message: (args) =>
      `${quoted(args, "field")} cannot be ${quoted(args, "value")}${
        args["suggestion"] === undefined ? `: it is ${choice(listArg(args, "allowed"), mostNames)}` : ""
      }`,
  },
  "empty-text": {
    meaning: "A text is empty.",
    message: (args) =>
      `${quoted(args, "field")} is an empty text: ${
        args["none"] === undefined
          ? "fill it in"
          : `write ${quoted(args, "none")} to unset it, or remove the key`
      }`,
  },
  "invalid-value": {
    meaning: "A value does not fit its field in another way.",
    message: (args) => `${quoted(args, "field")} ${textArg(args, "reason")}`,
  },
  "one-of-fields": {
    meaning:
      "A mapping has none, or more than one, of the fields of which it needs exactly one: an owner is a user or a group.",
    message: (args) =>
      `${quoted(args, "field")} takes exactly one of ${listArg(args, "fields")
        .map((field) => `\`${field}\``)
        .join(" and ")}, and has ${listArg(args, "found").length === 0 ? "neither" : "both"}`,
  },
  "missing-one-of": {
    meaning:
      "A mapping has none of the fields of which it needs one: an ignore rule has `value`, `urn` or both.",
    message: (args) => `${quoted(args, "field")} needs ${choice(listArg(args, "fields"))}`,
  },
  "out-of-range": {
    meaning: "A number is too small or too large for its field.",
    message: (args) =>
      `${quoted(args, "field")} must be ${textArg(args, "minimum")} ${
        args["maximum"] === undefined ? "or more" : `to ${textArg(args, "maximum")}`
      }, and this is ${textArg(args, "value")}`,
  },
  "conflicting-fields": {
    meaning: "Two fields exclude each other: a dataset is named by its URN or by its parts.",
    message: (args) =>
      `${quoted(args, "field")} cannot stand beside ${quoted(args, "other")}, which says it already: keep one of them`,
  },
  "cannot-be-unset": {
    meaning: "`none` stands at a field that always has a value.",
    message: (args) =>
      `${quoted(args, "field")} cannot be unset: give it a value, or remove the key (a name that reads "none" must be quoted)`,
  },
  "malformed-colour": {
    meaning: "The colour of a tag is none that can be drawn.",
    message: (args) =>
      `${quoted(args, "text")} is no colour: write it in hexadecimal digits, \`"#C0392B"\` say`,
  },
  "malformed-urn": {
    meaning: "An id or URN that DataHub would refuse.",
    message: (args) => `${quoted(args, "text")} is no URN that DataHub takes: ${urnFault(args)}`,
  },
  "wrong-reference": {
    meaning: "A URN of another kind stands where, say, a tag belongs.",
    message: (args) =>
      `${quoted(args, "text")} is not the URN of ${withArticle(nounOf(textArg(args, "expected")))}: it must begin with \`urn:li:${textArg(args, "expected")}:\``,
  },
  "unknown-ownership-type": {
    meaning: "An ownership type in upper case that DataHub does not have.",
    message: (args) =>
      `DataHub has no ownership type ${quoted(args, "text")}; a custom one that is called so is written \`urn:li:ownershipType:${textArg(args, "text")}\``,
  },
  "custom-ownership-type": {
    meaning: "`CUSTOM` stands as ownership type without saying which.",
    message: () => "`CUSTOM` does not say which type: write the id or URN of the ownership type",
  },
  "duplicate-entity": {
    meaning: "Two manifests declare the same entity; both places are named. They are compared as URNs.",
    message: (args) =>
      `the ${textArg(args, "kind").toLowerCase()} ${quoted(args, "urn")} is declared twice: put all of it into one manifest`,
  },
  "duplicate-element": {
    meaning: "A list holds the same element twice; both places are named.",
    message: (args) => `${quoted(args, "field")} lists ${quoted(args, "element")} twice: keep one`,
  },
  "cyclic-domains": {
    meaning: "Parent domains go in a circle.",
    message: (args) => `these parent domains go in a circle: ${circleOf(listArg(args, "cycle"))}`,
  },
  "contradicting-membership": {
    meaning: "A user's `groups` and a group's `members` contradict each other; both places are named.",
    message: (args) =>
      args["by"] === "user"
        ? `${quoted(args, "user")} lists the group ${quoted(args, "group")}, whose \`members\` leave the user out: declare it on one side, or on both`
        : `${quoted(args, "group")} lists the member ${quoted(args, "user")}, whose \`groups\` leave the group out: declare it on one side, or on both`,
  },
  "undeclared-reference": {
    meaning:
      "Warning: something is referred to that no manifest declares, though others of its kind are declared. It may be a slip, or live only in the catalog.",
    message: (args) =>
      `the ${textArg(args, "kind").toLowerCase()} ${quoted(args, "id")} is not declared here${
        Number(args["times"]) > 1 ? ` (${textArg(args, "times")} places)` : ""
      }`,
  },
  "undeclared-references": {
    meaning: "Warning: the same for many of a kind, in one line.",
    message: (args) =>
      `${textArg(args, "count")} ${textArg(args, "kind").toLowerCase()}s are referred to and not declared here: ${choice(listArg(args, "ids"), 5).replace(/ or (?=`[^`]*`$)/, ", ")}${
        Number(args["count"]) > listArg(args, "ids").length ? ", …" : ""
      }`,
  },
  "ignored-value": {
    meaning:
      "Warning: a value is declared that an ignore rule of the settings covers, so it is never written. Both places are named.",
    message: (args) =>
      `${quoted(args, "value")} in ${quoted(args, "facet")} is ignored by the settings${because(args)}: remove it here, or narrow the rule`,
  },
  "ignored-facet": {
    meaning:
      "Warning: a facet is declared that an ignore rule of the settings covers, whatever its value. Both places are named.",
    message: (args) =>
      `${quoted(args, "facet")} of ${quoted(args, "urn")} is ignored by the settings${because(args)}: remove it here, or narrow the rule`,
  },
  "ignored-entity": {
    meaning:
      "Warning: an entity is declared that an ignore rule of the settings covers as a whole. Both places are named.",
    message: (args) =>
      `the ${textArg(args, "kind").toLowerCase()} ${quoted(args, "urn")} is ignored by the settings${because(args)}: remove its manifest, or narrow the rule`,
  },
};

function because(args: ProblemArgs): string {
  return ` (${textArg(args, "reason")})`;
}

function circleOf(urns: readonly string[]): string {
  const ids = urns.map((urn) => urn.replace("urn:li:domain:", ""));
  const shown = ids.length > 12 ? [...ids.slice(0, 10), "…", ids[0] ?? ""] : ids;
  return shown.join(" → ");
}

function placeOf(args: ProblemArgs): string {
  const name = textArg(args, "in");
  if (name === "settings") return "the settings";
  return /^[A-Z]/.test(name) ? withArticle(name) : `\`${name}\``;
}

function knownFields(args: ProblemArgs): string {
  const known = listArg(args, "known");
  if (args["suggestion"] !== undefined || known.length === 0) return "";
  if (args["in"] === "settings")
    return `, as far as this version knows: there are ${choice(known)}`.replace(/ or (?=`[^`]*`$)/, " and ");
  return `: there are ${choice(known, mostNames).replace(/ or (?=`[^`]*`$)/, " and ")}`;
}

function nullMessage(args: ProblemArgs): string {
  const field = quoted(args, "field");
  switch (textArg(args, "expected")) {
    case "element":
      return `${field} has no value: write one after the dash, or remove the dash`;
    case "comment":
      return `${field} has no value, because an unquoted \`#\` begins a comment`;
    case "identity":
      return `${field} has no value: write one`;
    case "array":
      return `${field} has no value: write ${quoted(args, "write")} for none at all, or remove the key to leave it alone`;
    case "object":
      return `${field} has no value: write what belongs in it, or remove the key to leave it alone`;
    default:
      return args["write"] === undefined
        ? `${field} has no value: write one, or remove the key`
        : `${field} has no value: write ${quoted(args, "write")} to unset it, or remove the key to leave it alone`;
  }
}

function urnFault(args: ProblemArgs): string {
  const detail = quoted(args, "detail");
  const faults: Readonly<Record<string, string>> = {
    prefix: "it must be `urn:li:`, an entity type, a colon and a key",
    "white-space": "white space stands at its beginning or end",
    "empty-key": "nothing stands after the entity type",
    brackets: "its brackets are not balanced",
    length: "it is longer than 512 bytes when encoded",
    "dataset-parts": "the key of a dataset is `(urn:li:dataPlatform:<platform>,<name>,<ENV>)`",
    platform: `${detail} is no data platform`,
    fabric: `${detail} is no environment (PROD, DEV, TEST, …)`,
  };
  return faults[textArg(args, "reason")] ?? textArg(args, "reason");
}
