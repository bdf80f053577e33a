import type { Plan } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import type { Report, Run } from "../../model/report.ts";
import { footOf } from "./foot.ts";
import { driftLine, readingLine, withoutBaseLine } from "../drift.ts";
import type { Failure } from "../failure.ts";
import { plain } from "./lines.ts";
import { driftSections, planSections } from "./plan-sections.ts";
import { errorSection, warningSection } from "./problem-sections.ts";
import { summaryOf } from "./document.ts";
import type { Section } from "./section.ts";
import { codeSpan, lineText, longestSentence, prose } from "./escape.ts";
import { leftText, outcomeLine, unappliedTexts, unprovedText } from "../text/report-text.ts";
import { lastLine, type PlanView, summaryLine } from "../text/plan-text.ts";
import { approvalText } from "../text/run-text.ts";
import { shardLine } from "../text/shard-text.ts";

/**
 * A plan as Markdown for the summary of a step: what blocks it, what it removes, then the rest, folded. What does not fit is
 * counted.
 */
export function planMarkdown(plan: Plan, view: PlanView = {}): string {
  const heads = [`### ${lastLine(plan, view.isWhole ?? true)}`, ...shardHeads(plan)];
  return summaryOf(heads, planSections(plan, view), {
    foot: footOf(plan),
    rest: "The plan as JSON (`plan --out`) is complete.",
  });
}

/** Drift as Markdown: changes by class, then what is not managed, folded. */
export function driftMarkdown(plan: Plan, view: PlanView = {}): string {
  const notes = [withoutBaseLine(plan), readingLine(plan)].map((line) => line.trimEnd());
  const heads = [`### ${driftLine(plan)}`, ...notes.filter((line) => line !== "")];
  return summaryOf(heads, driftSections(plan, view), {
    foot: footOf(plan),
    rest: "The report as JSON (`drift --format json`) is complete.",
  });
}

/** A report as Markdown: how it ended, the operations that were not applied, then the plan. */
export function reportMarkdown(
  { plan, outcomes, run, unproved, referencesLeft = [] }: Report,
  view: PlanView = {},
): string {
  const unapplied: Section = {
    rank: 0,
    head: "",
    form: "diff",
    rows: unappliedTexts(outcomes, plain, { names: plan.names, all: view.all }).map(({ lines, of }) => ({
      text: lines.map((line) => `! ${lineText(line, longestSentence)}`).join("\n"),
      of,
    })),
    noun: ["operation", "operations"],
  };
  const heads = [
    `### ${outcomeLine(outcomes)}`,
    ...(unproved === undefined ? [] : [`**Error:** ${prose(unprovedText(unproved))}`]),
    ...referencesLeft.map((each) => `**Warning:** ${prose(leftText(each, plan.names))}`),
    summaryLine(plan.summary),
    ...shardHeads(plan),
    ...(run ? [runLine(run)] : []),
  ];
  return summaryOf(heads, [unapplied, ...planSections(plan, { ...view, isWhole: false })], {
    foot: footOf(plan),
    rest: "The report as JSON (`apply --format json`) is complete.",
  });
}

function shardHeads(plan: Plan): readonly string[] {
  const line = shardLine(plan);
  return line === "" ? [] : [line];
}

function runLine(run: Run): string {
  const approval = approvalText(run);
  const parts = [
    `Started ${codeSpan(run.startedAt)}`,
    `ended ${codeSpan(run.endedAt)}`,
    `exit code ${run.exitCode}`,
    ...(approval === undefined ? [] : [`approved ${codeSpan(approval)}`]),
    ...(run.stopped === undefined ? [] : [`stopped: ${prose(run.stopped)}`]),
  ];
  return parts.join(" · ");
}

/** Problems without a plan as Markdown, below a sentence. */
export function problemsMarkdown(problems: readonly PlanProblem[], sentence: string): string {
  return summaryOf([`### ${sentence}`], [errorSection({ problems }, ""), warningSection({ problems })], {
    foot: "",
    rest: "The list of problems as JSON (`--format json`) is complete.",
  });
}

/** Why a command has no result, as Markdown. */
export function failureMarkdown({ message }: Failure): string {
  return `### Error\n\n${prose(message)}\n`;
}
