/** Prints an entity's explanation as text. */

import type {
  DeclaredBy,
  DesiredValue,
  ExplainedAsset,
  ExplainedFacet,
  ExplainedPolicy,
  ExplainedRule,
  Explanation,
  LiveValue,
  Missed,
  ModeGiven,
} from "../../model/explanation.ts";
import type { Names } from "../../model/plan.ts";
import { count } from "../count.ts";
import type { View } from "../document/document.ts";
import { keyOf, placeIn, positionText, urnWithName, valueText, writerText } from "../document/values.ts";
import { printable } from "../printable.ts";
import { type Paint, paintWith } from "./paint.ts";

/** Prints an explanation as text: the entity, its facets, the rules and the policies. */
export function printExplanation(explanation: Explanation, { color = false }: View): Iterable<string> {
  const { facets, rules, policies = [], asset, names } = explanation;
  const paint = paintWith(color);
  const blocks = [
    headText(explanation, paint),
    ...facets.map((facet) => facetText(facet, names, paint)),
    ...(facets.length === 0 ? ["Nothing is declared, and the catalog has no values.\n"] : []),
    ...(asset ? [rulesText(rules, paint)] : []),
    ...(policies.length > 0 ? [policiesText(policies, paint)] : []),
  ];
  return [blocks.join("\n")];
}

function headText({ kind, urn, names, exists, documents, asset, facets }: Explanation, paint: Paint): string {
  const lines = [
    ...(exists ? [] : ["  not in the catalog yet; apply will create it"]),
    ...documents.map((source) => `  declared in ${paint("dim", positionText(source))}`),
    ...(documents.length === 0 ? [`  ${undocumentedText(facets)}`] : []),
    ...(asset ? assetLines(asset) : []),
  ];
  const head = `${paint("bold", kind)} ${printable(urnWithName(urn, names))}\n`;
  return head + lines.map((line) => `${line}\n`).join("");
}

function undocumentedText(facets: Explanation["facets"]): string {
  const declarations = facets.flatMap(({ desired = [] }) => desired.flatMap(({ declaredBy }) => declaredBy));
  const isOfOthers = declarations.some(({ rule }) => rule === undefined);
  return isOfOthers ? "declared only in the manifests of other entities" : "has no manifest of its own";
}

// Lists the asset's keys except for the URN, which the heading already contains.
function assetLines({ keys, column }: ExplainedAsset): readonly string[] {
  const known = Object.entries(keys).filter(([key, texts]) => key !== "urn" && texts.length > 0);
  const lines = known.map(([key, texts]) => `  ${key}: ${printable(texts.join(", "))}`);
  if (!column) return lines;
  const { name, path, nativeType } = column;
  const type = nativeType === undefined ? "" : `, of type ${nativeType}`;
  return [...lines, `  column: ${printable(`${name}${name === path ? "" : `, at ${path}`}${type}`)}`];
}

/** Prints a facet: its mode, and each value with its declarations and its writer in the catalog. */
function facetText(facet: ExplainedFacet, names: Names, paint: Paint): string {
  const desired = new Map((facet.desired ?? []).map((each) => [keyOf(each.value), each]));
  const live = new Map(facet.live.map((each) => [keyOf(each.value), each]));
  const text = (value: DesiredValue["value"]): string =>
    value === null ? "none" : valueText(facet.facet, value, names);
  const lines = [
    `${paint("bold", placeIn(facet))}: ${paint("dim", modeText(facet.mode))}`,
    ...[...new Map<string, DesiredValue | LiveValue>([...desired, ...live])].flatMap(([key, { value }]) => {
      const sides = { desired: desired.get(key), live: live.get(key) };
      const { sign, style, note } = effectOn(key, sides, facet);
      const details = detailsOf(sides, note, names).map((line) => `      ${line}`);
      return [`  ${paint(style, `${sign} ${text(value)}`)}`, ...details];
    }),
    ...(facet.overruled ?? []).flatMap(({ value, declaredBy }) => [
      `    ${text(value)}`,
      ...declaredBy.map((by) => `      overruled: ${byText(by)}`),
    ]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function modeText(mode: ModeGiven | undefined): string {
  if (!mode) return "not declared, so it is left unchanged";
  const { mode: name, from } = mode;
  if (from === "default") return `${name} (the default)`;
  if (from === "settings") return `${name} (from the settings)`;
  return mode.source ? `${name} (from ${byText(mode)})` : name;
}

/** A value as declared in the manifests, and as stored in the catalog. */
interface Sides {
  readonly desired: DesiredValue | undefined;
  readonly live: LiveValue | undefined;
}

/** The effect of an apply on a value, or the reason why there is none. */
interface Effect {
  readonly sign: string;
  readonly style: "add" | "remove" | "dim" | "bold";
  readonly note: string;
}

function effectOn(key: string, { desired, live }: Sides, facet: ExplainedFacet): Effect {
  const { add = [], remove = [], conflict, held = [] } = facet.change ?? {};
  const reason = held.find(({ value }) => keyOf(value) === key)?.because;
  if (reason !== undefined)
    return {
      sign: desired ? " " : "=",
      style: "bold",
      note: `held back, so apply does not write it: ${reason}`,
    };
  const isIn = (values: readonly DesiredValue["value"][]): boolean =>
    !conflict && values.some((each) => keyOf(each) === key);
  if (isIn(add)) return { sign: "+", style: "add", note: "apply will add it" };
  if (isIn(remove)) return { sign: "-", style: "remove", note: "apply will remove it" };
  if (desired && live) return { sign: "=", style: "bold", note: "" };
  const stays = conflict ? "; in conflict, so the live value is kept" : "";
  if (desired) {
    const note = desired.value === null ? "" : `declared, but not in the catalog${stays}`;
    return { sign: " ", style: "bold", note };
  }
  if (live?.ignored !== undefined) return { sign: " ", style: "dim", note: `ignored: ${live.ignored}` };
  return { sign: " ", style: "dim", note: facet.desired ? `not declared, but kept${stays}` : "" };
}

function detailsOf({ desired, live }: Sides, note: string, names: Names): readonly string[] {
  const writer = live ? writerText(live, "set by", names) : "";
  return [
    ...(desired?.declaredBy ?? []).map((by) => `declared by ${byText(by)}`),
    ...(writer === "" ? [] : [`in the catalog: ${writer}`]),
    ...(note === "" ? [] : [printable(note)]),
  ];
}

/** Describes a declaration: a rule or a document, and its location. */
function byText({ rule, source }: DeclaredBy): string {
  const parts = [
    ...(rule === undefined ? [] : [`rule ${printable(rule)}`]),
    ...(source ? [positionText(source)] : []),
  ];
  return parts.length === 0 ? "a manifest" : parts.join(", ");
}

/** The maximum number of nonmatching rules to list. All other rules are counted, but not listed. */
const maxDifferences = 10;

/**
 * Lists the rules that match, the matching rules that the document excludes (`exempt`), and the rules that do not match, with
 * reasons.
 */
function rulesText(rules: readonly ExplainedRule[], paint: Paint): string {
  if (rules.length === 0) return "The manifests have no rules.\n";
  const by = (verdict: ExplainedRule["verdict"]): readonly ExplainedRule[] =>
    rules.filter((rule) => rule.verdict === verdict);
  const differing = by("differs");
  const blocks = [
    ruleBlock("Rules that match", by("matches"), paint),
    ruleBlock("Matching rules that the asset's manifest excludes (`exempt`)", by("exempt"), paint),
    ruleBlock("Rules that do not match, closest first", differing.slice(0, maxDifferences), paint),
  ];
  const more = differing.length - maxDifferences;
  const rest = more > 0 ? `  … and ${count(more, "other rule")} (--format json lists all)\n` : "";
  return `${blocks.filter((block) => block !== "").join("\n")}${rest}`;
}

function ruleBlock(head: string, rules: readonly ExplainedRule[], paint: Paint): string {
  if (rules.length === 0) return "";
  return `${paint("bold", `${head}:`)}\n${rules.map((rule) => ruleText(rule, paint)).join("")}`;
}

function ruleText({ id, source, missed, idlePatterns = [] }: ExplainedRule, paint: Paint): string {
  const lines = [
    `  ${printable(id)}  ${paint("dim", positionText(source))}`,
    ...missed.map((each) => `      ${missedText(each)}`),
    ...idlePatterns.map(
      ({ pattern, source: place }) =>
        `      columns: ${printable(pattern)} matches no column of the asset (${positionText(place)})`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function policiesText(policies: readonly ExplainedPolicy[], paint: Paint): string {
  const lines = policies.flatMap(({ id, source, column, status, reasons, waiver }) => [
    `  ${status}: ${printable(column === undefined ? id : `${id}, column ${column}`)}  ${paint("dim", positionText(source))}`,
    ...reasons.map((reason) => `      ${printable(reason)}`),
    ...(waiver
      ? [`      waived until ${waiver.expires}, ${positionText(waiver.source)}: ${printable(waiver.reason)}`]
      : []),
  ]);
  return `${paint("bold", "Policies:")}\n${lines.map((line) => `${line}\n`).join("")}`;
}

function missedText({ key, wanted, found }: Missed): string {
  const wants = printable(wanted.join(" or "));
  if (key === "not") return `not: excludes assets with ${printable(wanted.join(" and "))}`;
  const has = found.length === 0 ? "none" : printable(found.join(", "));
  return `${printable(key)}: requires ${wants}, found ${has}`;
}
