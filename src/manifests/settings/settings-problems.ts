import { memberships } from "../../facets/index.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import { pagesPattern } from "../../model/settings.ts";
import { withoutSecrets } from "../../model/text/address.ts";
import { environmentProblems, environmentsIn } from "./environment-problems.ts";
import { canMatchUrn, urnInsteadOf } from "./ignore-patterns.ts";
import { ignorableFacets } from "../schema/manage-schema.ts";
import { errorAt } from "../problem.ts";
import { originAt } from "./origin-at.ts";
import { settingsCheck } from "../schema/schema-check.ts";
import type { Path } from "../schema/schema-path.ts";
import { type Checked, schemaProblems } from "../schema/schema-problems.ts";
import type { ParsedDocument } from "../yaml/parsed-document.ts";

/** The problems with the content of the settings. */
export function settingsProblems(document: ParsedDocument, value: JsonObject): readonly Problem[] {
  const start = document.rootPlace.value;
  const checked: Checked = { document, value, start, what: "settings", unsettable: () => false, meantBy };
  return [
    ...schemaProblems(checked, settingsCheck(value)),
    ...addressProblems(checked, value, []),
    ...baseProblems(checked),
    ...ruleProblems(checked),
    ...environmentProblems(checked),
    ...environmentsIn(checked).flatMap(([name, own]) =>
      addressProblems(checked, own, ["environments", name]),
    ),
  ];
}

function addressProblems(checked: Checked, value: JsonObject, path: Path): readonly Problem[] {
  return [...serverProblems(checked, value, path), ...linksProblems(checked, value, path)];
}

function linksProblems(checked: Checked, { links }: JsonObject, path: Path): readonly Problem[] {
  if (!isText(links) || (new RegExp(pagesPattern).test(links) && isHttpAddress(links))) return [];
  return [errorAt(originAt(checked, [...path, "links"]), "links-address", {})];
}

function serverProblems(checked: Checked, { server: text }: JsonObject, path: Path): readonly Problem[] {
  if (!isText(text)) return [];
  const origin = originAt(checked, [...path, "server"]);
  // The part before an `@` may be a password, so the message does not repeat it.
  if (text.includes("@")) return [errorAt(origin, "server-credentials", {})];
  return isHttpAddress(text) ? [] : [errorAt(origin, "server-address", { text: withoutSecrets(text) })];
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

// Git would read a ref that begins with a dash as an option.
function baseProblems(checked: Checked): readonly Problem[] {
  const { base } = checked.value;
  if (typeof base !== "string" || !/^-|\s/.test(base)) return [];
  return [errorAt(originAt(checked, ["base"]), "base-ref", { text: base })];
}

function ruleProblems(checked: Checked): readonly Problem[] {
  const rules = checked.value["ignore"];
  if (!isJsonList(rules)) return [];
  return rules.flatMap((rule, index) => (isJsonObject(rule) ? problemsOfRule(checked, rule, index) : []));
}

function problemsOfRule(checked: Checked, rule: JsonObject, index: number): readonly Problem[] {
  const { facet, value, urn, reason } = rule;
  const field = (key: string): string => `ignore[${index}].${key}`;
  const origin = (key: string): Origin => originAt(checked, ["ignore", String(index), key]);
  const problems: Problem[] = [];
  if (isText(reason) && reason.trim() === "")
    problems.push(errorAt(origin("reason"), "empty-text", { field: field("reason") }));
  if (isText(urn) && !canMatchUrn(urn))
    problems.push(errorAt(origin("urn"), "urn-pattern", { field: field("urn"), text: urn }));
  if (isText(value) && isText(facet) && ignorableFacets.includes(facet)) {
    const write = urnInsteadOf(value, facet);
    const args = { field: field("value"), text: value };
    if (write !== undefined) problems.push(errorAt(origin("value"), "urn-pattern", { ...args, write }));
  }
  return problems;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

// Membership is one facet, no matter which side declares it.
function meantBy(field: string, value: string): string | undefined {
  return /^ignore\[\d+\]\.facet$/.test(field) && value === memberships.inverse
    ? memberships.facet
    : undefined;
}
