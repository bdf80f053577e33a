/** Checks a settings file's content. */

import { edgeSetOfInverse, facetNamed } from "../../facets/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import { appliedRefs, isRunRef, webAddressPattern } from "../../model/settings.ts";
import { withoutSecrets } from "../../model/text/address.ts";
import { errorAt } from "../base/problem.ts";
import { ignorableFacets } from "../schema/manage-schema.ts";
import { schemaErrors } from "../schema/schema-check.ts";
import { fieldName, originAt, type Path } from "../schema/schema-path.ts";
import { type Checked, schemaProblems } from "../schema/schema-problems.ts";
import type { ParsedDocument } from "../yaml/parsed-document.ts";

/** Finds the problems in the settings. */
export function settingsProblems(document: ParsedDocument, value: JsonObject): readonly Problem[] {
  const start = document.rootPlace.value;
  const checked: Checked = { document, value, start, what: "settings", meantBy };
  const environments = environmentsIn(value);
  return [
    ...schemaProblems(checked, schemaErrors("settings", value)),
    ...textProblems(checked, value, [], textChecks),
    ...ignoreProblems(checked),
    ...environments.flatMap(([name, own]) => environmentProblems(checked, name, own)),
    ...sharedBaseProblems(checked, environments),
  ];
}

/**
 * Checks a string that has passed the schema check, and returns the problem, if any. `path` leads from the root of the settings
 * to the string.
 */
type TextCheck = (text: string, origin: Origin, path: Path) => Problem | undefined;

/** The checks for the strings in a mapping, keyed by field. */
type TextChecks = Readonly<Record<string, TextCheck>>;

const textChecks = {
  server: (text, origin) => {
    // The text before an `@` may be a password, so the message does not repeat it.
    if (text.includes("@")) return errorAt(origin, "server-credentials", {});
    return isHttpAddress(text)
      ? undefined
      : errorAt(origin, "server-address", { text: withoutSecrets(text) });
  },
  links: (text, origin) =>
    new RegExp(webAddressPattern).test(text) && isHttpAddress(text)
      ? undefined
      : errorAt(origin, "links-address", {}),
  base: (text, origin) => {
    // Git would interpret a ref with a leading dash as an option.
    if (/^-|\s/.test(text)) return errorAt(origin, "base-ref", { text });
    return isRunRef(text) ? errorAt(origin, "runs-base", { text }) : undefined;
  },
} satisfies TextChecks;

const environmentChecks: TextChecks = {
  ...textChecks,
  // The ref must be below the prefix for refs that an apply can move, and must have exactly one valid spelling. Otherwise, two
  // environments could share a ref undetected.
  base: (text, origin) =>
    text.startsWith(appliedRefs) && text.split("/").every((part) => /^[\w-][\w.-]*$/.test(part))
      ? textChecks.base(text, origin)
      : errorAt(origin, "environment-base", { text }),
};

const ignoreChecks: TextChecks = {
  reason: (text, origin, path) =>
    text.trim() === "" ? errorAt(origin, "empty-text", { field: fieldName(path) }) : undefined,
  urn: (text, origin, path) =>
    canMatchUrn(text) ? undefined : errorAt(origin, "urn-pattern", { field: fieldName(path), text }),
};

function textProblems(
  checked: Checked,
  mapping: JsonObject,
  at: Path,
  checks: TextChecks,
): readonly Problem[] {
  return Object.entries(checks).flatMap(([key, check]) => {
    const text = mapping[key];
    const path = [...at, key];
    return (isText(text) && check(text, originAt(checked, path), path)) || [];
  });
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

function ignoreProblems(checked: Checked): readonly Problem[] {
  const rules = checked.value["ignore"];
  if (!isJsonList(rules)) return [];
  return rules.flatMap((rule, index) => {
    if (!isJsonObject(rule)) return [];
    const { facet } = rule;
    const value: TextCheck = (text, origin, path) => {
      if (!isText(facet) || !ignorableFacets.includes(facet)) return undefined;
      const write = urnInsteadOf(text, facet);
      return write === undefined
        ? undefined
        : errorAt(origin, "urn-pattern", { field: fieldName(path), text, write });
    };
    return textProblems(checked, rule, ["ignore", String(index)], { ...ignoreChecks, value });
  });
}

/** Whether a pattern can match at least one URN. */
function canMatchUrn(pattern: string): boolean {
  const beginning = "urn:li:";
  const [first = "", ...more] = pattern.split("*");
  return first.startsWith(beginning) || (more.length > 0 && beginning.startsWith(first));
}

/** Returns the URN to write instead of an id; `undefined` if the pattern is valid or the facet's values are not URNs. */
function urnInsteadOf(pattern: string, facetName: string): string | undefined {
  if (canMatchUrn(pattern)) return undefined;
  const facet = facetNamed(facetName);
  const parsed = facet.parse(asWritten(pattern, facet.schema?.["items"]));
  if ("refusal" in parsed || parsed.references.length === 0) return undefined;
  const { value } = parsed;
  return String(typeof value === "object" && value !== null ? Object.values(value)[0] : value);
}

/** Converts an id to a list element: the bare id, or a mapping with the key that the schema's first alternative requires. */
function asWritten(id: string, items: Json | undefined): Json {
  const oneOf = isJsonObject(items) ? items["oneOf"] : undefined;
  if (!isJsonList(oneOf)) return id;
  const [first] = oneOf;
  const required = isJsonObject(first) ? first["required"] : undefined;
  const [name] = isJsonList(required) ? required : [];
  return typeof name === "string" ? { [name]: id } : id;
}

type Named = readonly [name: string, own: JsonObject];

/** Returns the environments that are mappings, in file order. */
function environmentsIn({ environments }: JsonObject): readonly Named[] {
  if (!isJsonObject(environments)) return [];
  return Object.entries(environments).flatMap(([name, own]) => (isJsonObject(own) ? [[name, own]] : []));
}

function environmentProblems(checked: Checked, name: string, own: JsonObject): readonly Problem[] {
  const path = ["environments", name];
  // The name must be safe to use as a command-line argument and in messages.
  const isName = /^[A-Za-z0-9][\w.-]*$/.test(name);
  return [
    ...(isName ? [] : [errorAt(originAt(checked, path, true), "environment-name", { name })]),
    ...textProblems(checked, own, path, environmentChecks),
  ];
}

/**
 * Reports environments with the same base ref, whether they set it or inherit it from the general settings. A ref can record the
 * applied commit for only one server.
 */
function sharedBaseProblems(checked: Checked, environments: readonly Named[]): readonly Problem[] {
  const first = new Map<string, Origin>();
  return environments.flatMap(([name, own]) => {
    const isOwn = own["base"] !== undefined;
    const base = isOwn ? own["base"] : checked.value["base"];
    if (!isText(base)) return [];
    const origin = originAt(checked, ["environments", name, ...(isOwn ? ["base"] : [])], !isOwn);
    // On case-insensitive file systems, refs that differ only in case are the same ref.
    const before = first.get(base.toLowerCase());
    if (before) return [errorAt(origin, "same-base", { text: base }, before)];
    first.set(base.toLowerCase(), origin);
    return [];
  });
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

// Returns the facet that plans show for an edge, if `value` is the facet for the opposite direction.
function meantBy(field: string, value: string): string | undefined {
  return /^ignore\[\d+\]\.facet$/.test(field) ? edgeSetOfInverse(value)?.facet : undefined;
}
