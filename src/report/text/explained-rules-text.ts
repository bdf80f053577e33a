import type { ExplainedRule, Missed } from "../../model/explanation.ts";
import { count } from "../count.ts";
import type { Paint } from "../paint.ts";
import { printable } from "../printable.ts";
import { placeOf } from "./change-text.ts";

/** Of more rules than this that do not match only the number is shown. */
const mostDiffering = 10;

/** The rules as text: those that match, those that are left out, and those that do not match, with why. Ends in a line break. */
export function explainedRulesText(rules: readonly ExplainedRule[], paint: Paint): string {
  if (rules.length === 0) return "The manifests have no rules.\n";
  const by = (verdict: ExplainedRule["verdict"]): readonly ExplainedRule[] =>
    rules.filter((rule) => rule.verdict === verdict);
  const differing = by("differs");
  const blocks = [
    blockOf("Rules that match", by("matches"), paint),
    blockOf("Rules that match, and that its document leaves out (`exempt`)", by("exempt"), paint),
    blockOf("Rules that do not match, the nearest first", differing.slice(0, mostDiffering), paint),
  ];
  const more = differing.length - mostDiffering;
  const rest = more > 0 ? `  … and ${count(more, "other rule")} (--format json lists all)\n` : "";
  return `${blocks.filter((block) => block !== "").join("\n")}${rest}`;
}

function blockOf(head: string, rules: readonly ExplainedRule[], paint: Paint): string {
  if (rules.length === 0) return "";
  return `${paint("bold", `${head}:`)}\n${rules.map((rule) => ruleText(rule, paint)).join("")}`;
}

function ruleText({ id, source, missed, idlePatterns = [] }: ExplainedRule, paint: Paint): string {
  const head = `  ${printable(id)}  ${paint("dim", placeOf(source))}\n`;
  const lines = missed.map((each) => `      ${missedText(each)}\n`);
  const idle = idlePatterns.map(
    ({ pattern, source: place }) =>
      `      columns: ${printable(pattern)} matches no column of it, ${placeOf(place)}\n`,
  );
  return head + [...lines, ...idle].join("");
}

function missedText({ key, wanted, found }: Missed): string {
  const wants = printable(wanted.join(" or "));
  if (key === "not") return `not: it leaves out what has ${printable(wanted.join(" and "))}`;
  const has = found.length === 0 ? "it has none" : `it is ${printable(found.join(", "))}`;
  return `${printable(key)}: the rule wants ${wants}, ${has}`;
}
