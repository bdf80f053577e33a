/** Prints the head of a page: its title, its status, the verdict, and the facts about a result. */

import type { PolicyCount } from "../../model/catalog-policy.ts";
import { isError } from "../../model/problem.ts";
import type { Run } from "../../model/report.ts";
import type { About, Document } from "../document/document.ts";
import { approvalText, serverName, summaryLine } from "../document/notes.ts";
import { printable } from "../printable.ts";
import { html, type Markup } from "./markup.ts";
import { prose } from "./prose.ts";

/** The title of a page: "Plan for prod". */
export function titleOf({ about, checkOf, isDrift, failure, plan }: Document): string {
  if (failure) return "Error";
  if (checkOf) return `Check of ${checkOf.target}`;
  if (!about) return "Problems";
  const what = isDrift ? "Drift in" : plan ? "Apply to" : "Plan for";
  return `${what} ${about.scope?.environment ?? about.target}`;
}

/** The head of the page of a document. */
export function headerPart(document: Document, title: string): Markup {
  const { verdict, failure, shard, about, plan } = document;
  return headerOf({
    ...statusOf(document),
    title,
    verdict: failure ? printable(failure.message) : verdict,
    lines: [plan && about ? summaryLine(about.summary) : "", plan?.shard || shard],
    facts: factsOf(document),
  });
}

interface Header extends Partial<Status> {
  readonly title: string;
  readonly verdict: string;
  /** Sentences below the verdict. Empty ones are left out. */
  readonly lines?: readonly string[];
  readonly facts: readonly Fact[];
}

/** The head of any page. */
export function headerOf({ tone = "info", word, title, verdict, lines = [], facts }: Header): Markup {
  const shown = lines.filter((line) => line !== "");
  return html`<header class="${tone}">
    <a class="skip" href="#content">Skip to the content</a>
    <h1><bdi>${title}</bdi>${word === undefined ? "" : html` <span class="badge status">${word}</span>`}</h1>
    <p class="verdict"><bdi>${verdict}</bdi></p>
    ${shown.map((line) => html`<p>${prose(line)}</p>`)} ${factsPart(facts)}
  </header>`;
}

/** The tone of a result, and its status in a word. */
function statusOf(document: Document): Status {
  const { about, failure, problems, changes, remarks, outcomes, isDrift, plan, checkOf, judged } = document;
  // Only the document of the plan has the reasons that refuse it.
  const { refusal, findings } = plan ?? document;
  if (failure) return { tone: "bad", word: "Failed" };
  if (checkOf) return checkStatus(document);
  if (!about && problems.some(isError)) return { tone: "bad", word: "Not valid" };
  if (!about) return { tone: "good", word: "Valid" };
  if (refusal !== "") return { tone: "bad", word: "Refused" };
  if (findings.some(isError)) return { tone: "bad", word: "Blocked" };
  if ((plan?.judged ?? judged).some(isUndecided)) return { tone: "bad", word: "Unknown" };
  if (remarks.some(isError) || outcomes.some(({ status }) => status === "failed"))
    return { tone: "bad", word: "Failed" };
  if (plan)
    return outcomes.length > 0 ? { tone: "warn", word: "Incomplete" } : { tone: "good", word: "Applied" };
  if (changes.every((group) => group.changes.length === 0)) return { tone: "good", word: "In sync" };
  return isDrift ? { tone: "warn", word: "Differs" } : { tone: "info", word: "To apply" };
}

function checkStatus({ findings, judged }: Pick<Document, "findings" | "judged">): Status {
  if (findings.some(isError)) return { tone: "bad", word: "Failed" };
  if (judged.some(isUndecided)) return { tone: "bad", word: "Unknown" };
  return { tone: "good", word: "Passed" };
}

function isUndecided({ unknown }: PolicyCount): boolean {
  return unknown > 0;
}

interface Status {
  readonly tone: "good" | "info" | "warn" | "bad";
  readonly word: string;
}

/** A name and a text. A fact without a text is left out. */
type Fact = readonly [name: string, text: string | undefined];

function factsOf({ about, checkOf, run }: Document): readonly Fact[] {
  if (checkOf)
    return [
      ["Server", checkOf.target],
      ["Snapshot of", checkOf.snapshot && timeText(checkOf.snapshot)],
    ];
  return about ? factsOfPlan(about, run) : [];
}

function factsOfPlan(about: About, run: Run | undefined): readonly Fact[] {
  const { git, tool, createdAt } = about;
  const commit = git.commit === null ? "none" : `${git.commit}${git.dirty ? " and uncommitted changes" : ""}`;
  return [
    ["Server", serverName(about)],
    ["Commit", commit],
    ["Base", git.base ?? "none"],
    ["Made", timeText(createdAt)],
    ["Started", run && timeText(run.startedAt)],
    ["Ended", run && `${timeText(run.endedAt)}, exit code ${run.exitCode}`],
    ["Approved", run && approvalText(run)],
    ["Stopped", run?.stopped],
    ["By", tool],
  ];
}

function factsPart(facts: readonly Fact[]): Markup {
  const shown = facts.flatMap(([name, fact]) =>
    fact === undefined
      ? []
      : [
          html`<div>
            <dt>${name}</dt>
            <dd><bdi>${printable(fact)}</bdi></dd>
          </div>`,
        ],
  );
  return shown.length === 0 ? html`` : html`<dl class="facts">${shown}</dl>`;
}

/** An ISO 8601 instant for people, to the minute: "2026-01-31 12:00 UTC". */
export function timeText(instant: string): string {
  return instant.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, "$1 $2 UTC");
}
