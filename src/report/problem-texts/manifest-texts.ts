/** The messages of problems with the content of manifests. */

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

/** The maximum of names in a choice. It is larger than the number of facets. */
const maxNames = 30;

/** The message of each problem. */
export const manifestTexts: ProblemTexts<ManifestProblems> = {
  "unknown-field": (args) =>
    `${placeOf(args)} ${args.in === "settings" ? "have" : "has"} no field ${code(args.field)}${knownFields(args)}`,
  "missing-field": (args) =>
    `${placeOf(args)} ${args.in === "settings" ? "require" : "requires"} the field ${code(args.field)}`,
  "null-value": nullMessage,
  "wrong-type": ({ field, expected, found }) =>
    `${code(field)} must be ${expectedNouns[expected] ?? expected}, but is ${foundNouns[found]}${found === "number" && expected === "string" ? "; quote it" : ""}`,
  "unknown-value": ({ field, value, found, suggestion, allowed }) =>
    `${code(field)} cannot be ${found === undefined ? code(value) : foundNouns[found]}${
      suggestion === undefined ? `: it must be ${choice(allowed, maxNames)}` : ""
    }`,
  "invisible-character": ({ field, character }) =>
    `${code(field)} holds ${character}, which is not seen: remove it, or it names something else than it seems to`,
  "empty-text": ({ field, none }) =>
    `${code(field)} is an empty string: ${
      none === undefined ? "write a value" : `write ${code(none)} to unset it, or remove the key`
    }`,
  "empty-list": ({ field }) => `${code(field)} is an empty list: write a pattern, or remove the key`,
  "empty-mapping": ({ field }) => `${code(field)} is empty: write a key, or remove it`,
  "match-by-facet": ({ field, known }) =>
    `${code(field)}: a rule cannot match by what rules declare, because then their order would decide; it can match by ${choice(known)}`,
  "match-not-of-kind": ({ field, key, kinds }) =>
    `${field === key ? "" : `${code(field)}: `}${kinds} have no ${code(key)}; remove it`,
  "misplaced-facets": ({ fields }) =>
    `${choice(fields).replace(/ or (?=`[^`]*`$)/, " and ")} of a rule must be below \`declare\``,
  "empty-rule": ({ rule, fields }) =>
    `rule ${code(rule)} declares nothing: write ${code("declare")} with ${choice(fields)}`,
  "duplicate-rule": ({ rule }) => `another rule has the id ${code(rule)}: give each its own`,
  "unknown-rule": ({ rule }) => `${code("exempt")}: no rule has the id ${code(rule)}`,
  "duplicate-policy": ({ policy }) => `another policy has the id ${code(policy)}: give each its own`,
  "unknown-policy": ({ policy }) => `${code("policy")}: no policy has the id ${code(policy)}`,
  "bad-expression": ({ field, reason }) => `${code(field)} is not a valid expression: ${reason}`,
  "malformed-day": ({ field, text }) =>
    `${code(field)} must be a day such as ${code("2027-01-31")}, but is ${code(text)}`,
  "waiver-too-long": ({ expires, days, latest }) =>
    `a waiver may expire at most ${days} days ahead (${code("waivers.max_days")}), but this one does on ${expires}: write ${latest} or an earlier day`,
  "waiver-expired": ({ policy, expires }) =>
    `this waiver of policy ${code(policy)} expired on ${expires}: what it waived counts again`,
  "waiver-unused": ({ policy }) => `this waiver of policy \`${policy}\` waives nothing: remove it`,
  "waiver-expires": ({ policy, expires, days }) =>
    `this waiver of policy ${code(policy)} expires on ${expires}, ${days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`}`,
  "invalid-value": ({ field, reason }) => `${code(field)} ${reason}`,
  "one-of-fields": ({ field, fields, found }) =>
    `${code(field)} must have exactly one of ${fields
      .map((each) => `\`${each}\``)
      .join(" and ")}, but has ${found.length === 0 ? "neither" : "both"}`,
  "missing-one-of": ({ field, fields }) => `${code(field)} must have ${choice(fields)}`,
  "inexact-number": ({ field, value, nearest }) =>
    `${code(field)} has more digits than DataHub stores of a number: ${code(value)} would become ${code(nearest)}; write that`,
  "out-of-range": ({ field, value, minimum, maximum }) =>
    `${code(field)} must be ${
      maximum === undefined ? `${minimum} or more` : `from ${minimum} to ${maximum}`
    }, but is ${value}`,
  "conflicting-fields": ({ field, other }) =>
    `${code(field)} conflicts with ${code(other)}: keep only one of them`,
  "cannot-be-unset": ({ field }) =>
    `${code(field)} cannot be unset: write a value, or remove the key (to use the name "none", quote it)`,
  "malformed-colour": ({ text }) =>
    `${code(text)} is not a valid color: write it in hexadecimal, like \`"#C0392B"\``,
  "malformed-date": ({ text }) =>
    `${code(text)} is not a date: write it like \`2027-06-30\`, or with a time and its zone, like \`2027-06-30T12:00:00Z\``,
  "malformed-url": ({ text }) =>
    `${code(text)} is not an absolute URL: write it with its scheme, like \`https://wiki.acme.com/invoices\``,
  "insecure-link": ({ field, text }) =>
    `${code(field)} is ${code(text)}: DataHub 1.6.0.1 and later accept only links that begin with \`https:\``,
  "looks-like-regex": ({ pattern }) =>
    `${code(pattern)} looks like a regular expression: in a pattern only \`*\` is special, and a list matches where one of its patterns does`,
  "looks-wrong": ({ field, text, expected }) => `${code(field)} is ${code(text)}, but should be ${expected}`,
  "private-link": ({ field, text }) =>
    `${code(field)} is ${code(text)}: DataHub 1.6.0.1 and later accept only links to public hosts`,
  "malformed-urn": (args) => `${code(args.text)} is not a valid URN: ${urnFault(args)}`,
  "wrong-reference": ({ text, expected }) =>
    expected === "asset"
      ? `${code(text)} is not the URN of an asset, such as a dataset, a chart or a data job`
      : `${code(text)} is not the URN of ${withArticle(nounOfType(expected))}: it must begin with \`urn:li:${expected}:\``,
  "unknown-ownership-type": ({ text }) =>
    `unknown ownership type ${code(text)}: for a custom type of that name, write \`urn:li:ownershipType:${text}\``,
  "custom-ownership-type": () => "`CUSTOM` does not name an ownership type: write the id or URN of the type",
  "duplicate-entity": ({ kind, urn, option }) =>
    `${nounOf(kind)} ${code(urn)} is declared twice: merge both into one, or give one of them another id${
      option === undefined
        ? ""
        : `; or choose one with ${code(`${option} first`)} or ${code(`${option} last`)}`
    }`,
  "duplicate-facet": ({ kind, urn, facet, column }) =>
    `${column === undefined ? "" : `column ${code(column)}: `}${code(facet)} of ${nounOf(kind)} ${code(urn)} has another value in another manifest: keep one of them`,
  "conflicting-modes": ({ kind, urn, facet }) =>
    `${code(facet)} of ${nounOf(kind)} ${code(urn)} has another mode in another manifest: keep one of them`,
  "duplicate-element": ({ field, element }) => `${code(field)} lists ${code(element)} twice: keep one`,
  "parent-cycle": ({ cycle }) => `the parents of ${pluralIn(cycle)} form a cycle: ${cycleOf(cycle)}`,
  "self-reference": ({ facet, kind, urn, by = [] }) =>
    by.length === 0
      ? `${nounOf(kind)} ${code(urn)} is one of its own ${code(facet)}: remove it there`
      : `${code(facet)} of ${pluralOf(kind)} form a cycle: ${cycleOf([urn, ...by, urn])}: remove one of them there`,
  "same-name": ({ kind, urn, other, what, way }) =>
    `${nounOf(kind)} ${code(urn)} has the same ${what} as ${code(other)}: ${way}`,
  "contradicting-membership": ({ urn, facet, other, otherFacet }) =>
    `${code(facet)} of ${code(urn)} lists ${code(other)}, but its ${code(otherFacet)} do not list ${code(urn)}: declare the membership on one side only, or on both`,
  "undeclared-reference": ({ kind, id, times, named }) =>
    `${nounOf(kind)} ${code(id)} is not declared in these manifests${times > 1 ? ` (${times} references)` : ""}${
      named ? `; ${namedText(kind, id, named)}` : ""
    }`,
  "undeclared-references": ({ kind, count, ids }) =>
    `${count} ${pluralOf(kind)} are referenced but have no manifest: ${choice(ids, 5).replace(/ or (?=`[^`]*`$)/, ", ")}${
      count > ids.length ? ", …" : ""
    }; this is only a fault if they do not exist in the catalog, which a plan checks before it adds a reference`,
  "ignored-value": ({ value, facet, reason }) =>
    `${code(value)} in ${code(facet)} is ignored by the settings (${reason}): remove it here, or narrow the rule`,
  "ignored-facet": ({ facet, urn, reason }) =>
    `${code(facet)} of ${code(urn)} is ignored by the settings (${reason}): remove it here, or narrow the rule`,
  "ignored-entity": ({ kind, urn, reason }) =>
    `${nounOf(kind)} ${code(urn)} is ignored by the settings (${reason}): remove its manifest, or narrow the rule`,
};

function placeOf(args: { readonly in: string }): string {
  if (args.in === "settings") return "the settings";
  return /^[A-Z]| /.test(args.in) ? withArticle(args.in) : `\`${args.in}\``;
}

function knownFields(args: ManifestProblems["unknown-field"]): string {
  const { known = [], suggestion } = args;
  if (suggestion !== undefined || known.length === 0) return "";
  const names = choice(known, maxNames).replace(/ or (?=`[^`]*`$)/, " and ");
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
    blank: "it must not contain blanks",
    "empty-key": "the key after the entity type is empty",
    brackets: "its brackets are not balanced",
    separator: "it must not contain the character `\u241F`",
    parts: "its key must not be a list in brackets",
    length: "it is longer than 512 bytes when URL-encoded",
    "asset-parts": `it must be ${code(detail)}`,
    platform: `${code(detail)} is not a data platform`,
    fabric: `${code(detail)} is not an environment (PROD, DEV, TEST, …)`,
  };
  return faults[reason];
}
