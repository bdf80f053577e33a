import type { Plan } from "../../model/plan.ts";
import { count } from "../count.ts";
import { countsOf } from "../problems.ts";
import { refusingProblems } from "../../plan/plan.ts";
import { failureMarkdown } from "./markdown.ts";
import { documentOf, longestDocument } from "./document.ts";
import { codeSpan } from "./escape.ts";
import { footOf } from "./foot.ts";
import { reviewSections } from "./plan-sections.ts";
import { errorSection, type LinkOf, warningSection } from "./problem-sections.ts";
import { reviewSentence } from "./review-sentence.ts";
import { withAssetNames } from "./review-groups.ts";
import { gap } from "./section.ts";
import { lastLine, summaryLine } from "../text/plan-text.ts";
import type { SavedResult } from "../saved-result.ts";

/** What a comment knows beside its plans. */
export interface ReviewView {
  /** The page of the run that made the plans. */
  readonly run?: string | undefined;
  /** The page of a line of a manifest. */
  readonly linkOf?: LinkOf | undefined;
  /** What each result is called, where there are several. */
  readonly titles?: readonly string[];
  /** Who is mentioned: `alice`, `acme/finance`. */
  readonly mentions?: readonly string[];
}

/**
 * Plans, or why there is none, as Markdown for the comment of a pull request, for people who decide about data and not
 * about YAML: a sentence first, then what is in the way, what is lost, and what is added, folded. What does not fit is
 * counted.
 */
export function reviewMarkdown(results: readonly SavedResult[], view: ReviewView): string {
  const mentions = mentionLine(view);
  const whole = longestDocument - mentions.length - longestEnd;
  const room = Math.floor(whole / Math.max(1, results.length)) - longestTitle;
  const texts = results.map((result, index) => {
    const name = results.length > 1 ? view.titles?.[index] : undefined;
    const title = titleOf(result, name);
    return (title === "" ? "" : `### ${title}${gap}`) + resultMarkdown(result, view, room).trimEnd();
  });
  const shown = withinRoom(texts, whole);
  const left = texts.length - shown.length;
  const end = left === 0 ? "" : `… and ${count(left, "more plan")}. ${restText(view)}`;
  return `${[...shown, end, mentions].filter((part) => part !== "").join(gap)}\n`;
}

/** What a plan is for, and what it is called where there are several: comments of several environments look alike. */
function titleOf(result: SavedResult, name: string | undefined): string {
  const called = name === undefined ? "" : codeSpan(name);
  if (!("plan" in result)) return called;
  const { scope, target } = result.plan;
  return `Plan for ${codeSpan(scope?.environment ?? target)}${called === "" ? "" : ` (${called})`}`;
}

/** Room for what follows the last plan, and for the heading of each, beside the blank lines. */
const longestEnd = 500;
const longestTitle = 700;

/** As many texts as fit. Of each the headings alone take some room, so that very many do not. */
function withinRoom(texts: readonly string[], room: number): readonly string[] {
  let length = 0;
  const end = texts.findIndex((text) => (length += text.length + gap.length) > room);
  return end < 0 ? texts : texts.slice(0, end);
}

function resultMarkdown(result: SavedResult, view: ReviewView, room: number): string {
  if ("plan" in result) return planReview(result.plan, view, room);
  if ("failure" in result)
    return ["There is no plan.", failureMarkdown(result.failure).trimEnd(), runLine(view)].join(gap);
  const { problems } = result;
  const heads = [`There is no plan, because the manifests have ${countsOf(problems)}.`];
  const sections = [errorSection({ problems }, undefined, view.linkOf), warningSection({ problems })];
  return documentOf(heads, sections, { foot: runLine(view), rest: restText(view), most: room });
}

function planReview(bare: Plan, view: ReviewView, most: number): string {
  const plan = withAssetNames(bare);
  const heads = [verdictOf(plan) + reviewSentence(plan), `<sub>${summaryLine(plan.summary)}</sub>`];
  const ending = { foot: footOf(plan, view.run), rest: restText(view), most };
  return documentOf(heads, reviewSections(plan, view.linkOf), ending);
}

/** What keeps a plan from being applied, before the sentence about what it would do. */
function verdictOf(plan: Plan): string {
  const guards = plan.findings.filter(({ severity }) => severity === "error").length;
  const isRefused = refusingProblems(plan).length > 0;
  const parts = [isRefused && lastLine(plan, true), guards > 0 && `Blocked by ${count(guards, "guard")}.`];
  return parts.map((part) => (part === false ? "" : `**${part}** `)).join("");
}

function runLine({ run }: ReviewView): string {
  return run === undefined ? "" : `<sub>[run](${run})</sub>`;
}

function restText({ run }: ReviewView): string {
  return run === undefined
    ? "The plan as JSON is complete."
    : `[The run](${run}) has the plan as an artifact, and more of it in its summary.`;
}

function mentionLine({ mentions = [] }: ReviewView): string {
  return mentions.length === 0 ? "" : `Owners: ${mentions.map((handle) => `@${handle}`).join(" ")}`;
}
