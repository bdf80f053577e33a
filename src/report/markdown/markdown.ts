/** Prints a result as Markdown for a step summary in GitHub Actions. */

import type { Plan } from "../../model/plan.ts";
import type { Run } from "../../model/report.ts";
import type { Document, Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { factsOf } from "../document/facts.ts";
import { driftLegend, summaryLine } from "../document/notes.ts";
import { codeSpan, prose } from "./escape.ts";
import { partsOf } from "./parts.ts";
import { summaryOf } from "./sections.ts";

/**
 * Prints a result as Markdown: obstacles, then losses, then other content in collapsed sections. Rows that do not fit are only
 * counted.
 */
export function printMarkdown(result: Result, view: View): Iterable<string> {
  const document = documentOf(result, view);
  const { about, run, complete: rest } = document;
  const foot = about ? footOf(about, {}, run) : "";
  const sections = partsOf(document, { all: view.all });
  return [summaryOf(headsOf(document), sections, { foot, rest })];
}

function headsOf(document: Document): readonly string[] {
  const { verdict, failure, about, plan, shard, isDrift, changes, policyTotals } = document;
  const heads = [
    `### ${verdict}`,
    failure ? prose(failure.message) : "",
    plan && about ? summaryLine(about.summary) : "",
    plan?.policyTotals ?? policyTotals,
    plan?.shard ?? shard,
    isDrift && changes.length > 0 ? driftLegend() : "",
  ];
  return heads.filter((head) => head !== "");
}

/** The URLs of pages with more information about a result: its workflow run and its HTML page. */
interface Links {
  readonly run?: string | undefined;
  readonly page?: string | undefined;
}

/** Returns links to more information about a result. */
export function linksTo({ run, page }: Links): readonly string[] {
  return [
    ...(page === undefined ? [] : [`[page](${page})`]),
    ...(run === undefined ? [] : [`[run](${run})`]),
  ];
}

/** Returns the last line of Markdown about a plan: facts about the plan, and links. */
export function footOf(about: Plan, links: Links = {}, run?: Run): string {
  const facts = factsOf(about, run).map(([name, fact]) => `${name} ${codeSpan(fact)}`);
  return `<sub>${[...facts, ...linksTo(links)].join(" · ")}</sub>`;
}
