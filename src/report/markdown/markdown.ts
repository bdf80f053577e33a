/** Prints a result as Markdown for the summary of a step in GitHub Actions. */

import type { Run } from "../../model/report.ts";
import type { About, Document, Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { approvalText, driftLegend, summaryLine } from "../document/notes.ts";
import { codeSpan, prose } from "./escape.ts";
import { partsOf } from "./parts.ts";
import { summaryOf } from "./sections.ts";

/** A result as Markdown: obstacles, losses, then the rest, collapsed. Rows that do not fit are counted. */
export function printMarkdown(result: Result, view: View): Iterable<string> {
  const document = documentOf(result, view);
  const { about, complete: rest } = document;
  const foot = about ? footOf(about) : "";
  const sections = partsOf(document, { all: view.all });
  return [summaryOf(headsOf(document), sections, { foot, rest })];
}

function headsOf(document: Document): readonly string[] {
  const { verdict, failure, about, plan, shard, isDrift, changes, policyTotals, run } = document;
  const heads = [
    `### ${verdict}`,
    failure ? prose(failure.message) : "",
    plan && about ? summaryLine(about.summary) : "",
    plan?.policyTotals ?? policyTotals,
    plan?.shard ?? shard,
    isDrift && changes.length > 0 ? driftLegend() : "",
    run ? runLine(run) : "",
  ];
  return heads.filter((head) => head !== "");
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

/** The pages with more of a result: its workflow run, and the HTML page. */
interface Links {
  readonly run?: string | undefined;
  readonly page?: string | undefined;
}

/** The links to more of a result. */
export function linksTo({ run, page }: Links): readonly string[] {
  return [
    ...(page === undefined ? [] : [`[page](${page})`]),
    ...(run === undefined ? [] : [`[run](${run})`]),
  ];
}

/** The last line of a text about a plan: its target, its commits, the tool, and links. */
export function footOf({ target, scope, git, tool }: About, links: Links = {}): string {
  const environment = scope?.environment;
  const parts = [
    `Target ${codeSpan(target)}`,
    ...(environment === undefined ? [] : [`environment ${codeSpan(environment)}`]),
    git.commit === null
      ? "no commit"
      : `commit ${codeSpan(git.commit)}${git.dirty ? " and uncommitted changes" : ""}`,
    git.base === null ? "no base" : `base ${codeSpan(git.base)}`,
    codeSpan(tool),
    ...linksTo(links),
  ];
  return `<sub>${parts.join(" · ")}</sub>`;
}
