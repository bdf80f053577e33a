/** Prints a page's header: its title, status, verdict, and facts about the result. */

import type { PolicyCount } from "../../model/catalog-policy.ts";
import { isError } from "../../model/problem.ts";
import type { Document } from "../document/document.ts";
import { type Fact, factsOf, timeText } from "../document/facts.ts";
import { summaryLine } from "../document/notes.ts";
import { printable } from "../printable.ts";
import { html, type Markup } from "./markup.ts";
import { prose } from "./prose.ts";

/** Returns a page's title, such as "Plan for prod". */
export function titleOf({ about, checkOf, isDrift, failure, plan }: Document): string {
  if (failure) return "Error";
  if (checkOf) return `Check of ${checkOf.target}`;
  if (!about) return "Problems";
  const what = isDrift ? "Drift in" : plan ? "Apply to" : "Plan for";
  return `${what} ${about.scope?.environment ?? about.target}`;
}

/** Prints the header for a document's page. */
export function headerPart(document: Document, title: string): Markup {
  const { verdict, failure, shard, about, plan } = document;
  return headerOf({
    ...statusOf(document),
    title,
    verdict: failure ? printable(failure.message) : verdict,
    lines: [plan && about ? summaryLine(about.summary) : "", plan?.shard || shard],
    facts: factsOfPage(document),
  });
}

interface Header extends Partial<Status> {
  readonly title: string;
  readonly verdict: string;
  /** Sentences below the verdict. Empty sentences are omitted. */
  readonly lines?: readonly string[];
  readonly facts: readonly Fact[];
}

/** Prints a page header. */
export function headerOf({ tone = "info", word, title, verdict, lines = [], facts }: Header): Markup {
  const shown = lines.filter((line) => line !== "");
  return html`<header class="${tone}">
    <a class="skip" href="#content">Skip to content</a>
    <h1><bdi>${title}</bdi>${word === undefined ? "" : html` <span class="badge status">${word}</span>`}</h1>
    <p class="verdict"><bdi>${verdict}</bdi></p>
    ${shown.map((line) => html`<p>${prose(line)}</p>`)} ${factsPart(facts)}
  </header>`;
}

/** Returns the tone of a result, and a word that describes its status. */
function statusOf(document: Document): Status {
  const { about, failure, problems, changes, remarks, outcomes, isDrift, plan, checkOf, judged } = document;
  // For a report, only the document for the plan contains the reasons why the plan was refused.
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
  return isDrift ? { tone: "warn", word: "Differs" } : { tone: "info", word: "Pending changes" };
}

function checkStatus({ findings, judged }: Document): Status {
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

function factsOfPage({ about, checkOf, run }: Document): readonly Fact[] {
  if (about) return [...factsOf(about, run), ["Created", timeText(about.createdAt)]];
  if (!checkOf) return [];
  const { target, snapshot } = checkOf;
  return [
    ["Server", target],
    ...(snapshot === undefined ? [] : [["Snapshot from", timeText(snapshot)] as const]),
  ];
}

function factsPart(facts: readonly Fact[]): Markup {
  if (facts.length === 0) return html``;
  return html`<dl class="facts">
    ${facts.map(
      ([name, fact]) =>
        html`<div>
          <dt>${name}</dt>
          <dd><bdi>${printable(fact)}</bdi></dd>
        </div>`,
    )}
  </dl>`;
}
