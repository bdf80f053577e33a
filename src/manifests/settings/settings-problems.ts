import { memberships } from "../../facets/index.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { canMatchUrn, urnInsteadOf } from "./ignore-patterns.ts";
import { ignorableFacets } from "../schema/manage-schema.ts";
import { errorAt } from "../problem.ts";
import { settingsCheck } from "../schema/schema-check.ts";
import { offsetOf, type Path } from "../schema/schema-path.ts";
import { type Checked, schemaProblems } from "../schema/schema-problems.ts";
import { originIn, type Written } from "../yaml/written.ts";

/** What is wrong with the content of settings. */
export function settingsProblems(written: Written, value: JsonObject): readonly Problem[] {
  const start = written.rootPlace.value;
  const checked: Checked = { written, value, start, what: "settings", unsettable: () => false };
  return [
    ...schemaProblems(checked, settingsCheck(value)).map(withMembers),
    ...serverProblems(checked),
    ...baseProblems(checked),
    ...ruleProblems(checked),
  ];
}

function at({ written, value, start }: Checked, path: Path): ReturnType<typeof originIn> {
  return originIn(written, offsetOf({ written, value, start }, path, false));
}

function serverProblems(checked: Checked): readonly Problem[] {
  const text = checked.value["server"];
  if (typeof text !== "string" || text === "") return [];
  const code = serverFault(text);
  if (code === undefined) return [];
  return [errorAt(at(checked, ["server"]), code, code === "server-address" ? { text } : {})];
}

// Whatever stands before an `@` may be a password: it is not repeated.
function serverFault(server: string): string | undefined {
  if (server.includes("@")) return "server-credentials";
  if (!URL.canParse(server)) return "server-address";
  return ["http:", "https:"].includes(new URL(server).protocol) ? undefined : "server-address";
}

// What begins with a dash would be taken by git for an option.
function baseProblems(checked: Checked): readonly Problem[] {
  const base = checked.value["base"];
  if (typeof base !== "string" || !/^-|\s/.test(base)) return [];
  return [errorAt(at(checked, ["base"]), "base-ref", { text: base })];
}

function ruleProblems(checked: Checked): readonly Problem[] {
  const rules = checked.value["ignore"];
  if (!Array.isArray(rules)) return [];
  return (rules as readonly Json[]).flatMap((rule, index) =>
    isJsonObject(rule) ? problemsOfRule(checked, rule, index) : [],
  );
}

function problemsOfRule(checked: Checked, rule: JsonObject, index: number): readonly Problem[] {
  const { facet, value, urn, reason } = rule;
  const problem = (key: string, code: string, args: Readonly<Record<string, string>> = {}): Problem =>
    errorAt(at(checked, ["ignore", String(index), key]), code, { field: `ignore[${index}].${key}`, ...args });
  const problems: Problem[] = [];
  if (isText(reason) && reason.trim() === "") problems.push(problem("reason", "empty-text"));
  if (isText(urn) && !canMatchUrn(urn)) problems.push(problem("urn", "urn-pattern", { text: urn }));
  if (isText(value) && isText(facet) && ignorableFacets.includes(facet)) {
    const write = urnInsteadOf(value, facet);
    if (write !== undefined) problems.push(problem("value", "urn-pattern", { text: value, write }));
  }
  return problems;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

// Membership is one facet, whichever side declares it.
function withMembers(problem: Problem): Problem {
  const { code, args } = problem;
  const isFacet = code === "unknown-value" && /^ignore\[\d+\]\.facet$/.test(String(args["field"]));
  return isFacet && args["value"] === memberships.inverse
    ? { ...problem, args: { ...args, suggestion: memberships.facet } }
    : problem;
}
