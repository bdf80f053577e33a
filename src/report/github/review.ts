/** Writes the pull request comment that shows plans. */

import { findKind } from "../../kinds/index.ts";
import type { Plan } from "../../model/plan.ts";
import { isError } from "../../model/problem.ts";
import { isOfPolicy } from "../../plan/policies/findings.ts";
import { count } from "../count.ts";
import { documentOf } from "../document/document-of.ts";
import type { Document } from "../document/document.ts";
import { summaryLine } from "../document/notes.ts";
import { countsOf } from "../document/problems.ts";
import { codeSpan, prose } from "../markdown/escape.ts";
import { footOf, linksTo } from "../markdown/markdown.ts";
import { partsOf } from "../markdown/parts.ts";
import type { LinkOf } from "../markdown/rows.ts";
import { gap, maxCommentLength, fitSections } from "../markdown/sections.ts";
import type { SavedResult } from "../saved/saved-result.ts";
import { reviewSentence } from "./review-sentence.ts";

/** The context for a comment: links, names and mentions. */
export interface ReviewView {
  /** The URL of the workflow run that created the plans. */
  readonly run?: string | undefined;
  /** The URL of an HTML page that shows the plans. */
  readonly page?: string | undefined;
  /** Returns the URL of a page that shows a line in a manifest. */
  readonly linkOf?: LinkOf | undefined;
  /** Each result's name, if there are several results. */
  readonly titles?: readonly string[];
  /** The users and teams to mention, such as `alice` and `acme/finance`. */
  readonly mentions?: readonly string[];
}

/**
 * Writes plans, or the reason why there are none, as Markdown for reviewers who care about the data rather than the YAML. Each
 * plan has a summary sentence, then obstacles, losses, and collapsed additions. Rows and plans that do not fit are only counted.
 */
export function reviewMarkdown(results: readonly SavedResult[], view: ReviewView): string {
  const mentions = mentionLine(view);
  const max = maxCommentLength - mentions.length - maxEndLength;
  const room = Math.floor(max / Math.max(1, results.length)) - maxTitleLength;
  const texts = results.map((result, index) => {
    const name = results.length > 1 ? view.titles?.[index] : undefined;
    const title = titleOf(result, name);
    return (title === "" ? "" : `### ${title}${gap}`) + resultMarkdown(result, view, room).trimEnd();
  });
  const shown = withinRoom(texts, max);
  const left = texts.length - shown.length;
  const end = left === 0 ? "" : `… and ${count(left, "more plan")}. ${restText(view)}`;
  return `${[...shown, end, mentions].filter((part) => part !== "").join(gap)}\n`;
}

/** Returns the heading of a result: its name, and the plan's environment or server, which distinguishes similar comments. */
function titleOf(result: SavedResult, name: string | undefined): string {
  const title = name === undefined ? "" : codeSpan(name);
  if (!("plan" in result)) return title;
  const { scope, target } = result.plan;
  return `Plan for ${codeSpan(scope?.environment ?? target)}${title === "" ? "" : ` (${title})`}`;
}

// The numbers of characters reserved for the line after the last plan and for each plan's heading, not counting blank lines.
const maxEndLength = 500;
const maxTitleLength = 700;

/** Returns as many of the texts as fit into `room` characters. Every text has headings, so many plans may not fit. */
function withinRoom(texts: readonly string[], room: number): readonly string[] {
  let length = 0;
  const end = texts.findIndex((text) => (length += text.length + gap.length) > room);
  return end < 0 ? texts : texts.slice(0, end);
}

function resultMarkdown(result: SavedResult, view: ReviewView, room: number): string {
  const { linkOf } = view;
  const rest = restText(view);
  const links = linksTo(view);
  const run = links.length === 0 ? "" : `<sub>${links.join(" · ")}</sub>`;
  if ("plan" in result) {
    const plan = withAssetNames(result.plan);
    const document = documentOf({ plan }, noLines);
    const sentence = verdictOf(document) + reviewSentence(plan);
    const sums = [summaryLine(plan.summary), document.policyTotals].filter((line) => line !== "");
    const heads = [sentence, `<sub>${sums.join("<br>")}</sub>`];
    return fitSections(room, heads, partsOf(document, { linkOf }), {
      foot: footOf(plan, view),
      rest,
    });
  }
  const document = documentOf(result, noLines);
  const { failure, problems } = document;
  if (failure) return ["There is no plan.", `### ${document.verdict}`, prose(failure.message), run].join(gap);
  const heads = [`There is no plan, because the manifests have ${countsOf(problems)}.`];
  return fitSections(room, heads, partsOf(document, { linkOf }), { foot: run, rest });
}

/** Comments link to manifest lines instead of showing them. */
const noLines = { lineOf: (): undefined => undefined, isReview: true };

/** Describes the obstacles to applying a plan. This text precedes the sentence about the plan's effect. */
function verdictOf({ verdict, refusal, findings }: Document): string {
  const errors = findings.filter(isError);
  const policies = errors.filter(isOfPolicy).length;
  const blocking = [
    ...(errors.length > policies ? [count(errors.length - policies, "guard")] : []),
    ...(policies > 0 ? [count(policies, "policy", "policies")] : []),
  ];
  const obstacles = [
    ...(refusal === "" ? [] : [verdict]),
    ...(blocking.length === 0 ? [] : [`Blocked by ${blocking.join(" and ")}.`]),
  ];
  return obstacles.map((obstacle) => `**${obstacle}** `).join("");
}

function restText({ run, page }: ReviewView): string {
  if (page !== undefined) return `[The page](${page}) shows the full plan.`;
  return run === undefined
    ? "The full plan is available as JSON."
    : `[The run](${run}) has the full plan as an artifact, and shows more of it in its summary.`;
}

function mentionLine({ mentions = [] }: ReviewView): string {
  return mentions.length === 0 ? "" : `Owners: ${mentions.map((handle) => `@${handle}`).join(" ")}`;
}

/** Adds display names for assets, derived from their URNs, because "prod.finance.invoices" is easier to read than the URN. */
function withAssetNames(plan: Plan): Plan {
  const named = plan.changes.flatMap(({ kind, urn }): readonly (readonly [string, string])[] => {
    const name = findKind(kind)?.asset?.nameOf(urn) ?? "";
    return name === "" ? [] : [[urn, name]];
  });
  return named.length === 0 ? plan : { ...plan, names: { ...Object.fromEntries(named), ...plan.names } };
}
