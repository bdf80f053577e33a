import { isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import { isError } from "../../model/problem.ts";
import type { Unmanaged } from "../../model/plan.ts";
import { numberText } from "../count.ts";
import type { About, Document, FindingRow, ProblemRow, View } from "../document/document.ts";
import { unmanagedCounts, unmanagedReason } from "../document/lines.ts";
import {
  approvalText,
  driftLegend,
  serverName,
  settingsHead,
  settingText,
  summaryLine,
} from "../document/notes.ts";
import { placeIn, plainNameOf, positionText, valueText } from "../document/values.ts";
import { printable } from "../printable.ts";
import { countBars } from "./bars.ts";
import { filtersPart } from "./filters.ts";
import { html, type Markup } from "./markup.ts";
import type { PageEntry } from "./page-entry.ts";
import { prose } from "./prose.ts";
import { removedPart } from "./removed.ts";
import { mostStatic, templatesOf } from "./templates.ts";

/** More rows of a list beside that of changes are counted. */
const mostRows = 200;

const templates = templatesOf<Markup>(html, 20);

/** What a page is about: "Plan for prod". */
export function titleOf({ about, isDrift, failure, plan }: Document): string {
  if (failure) return "Error";
  if (!about) return "Problems";
  const what = isDrift ? "Drift in" : plan ? "Apply to" : "Plan for";
  return `${what} ${about.scope?.environment ?? about.target}`;
}

/** The verdict, its numbers, and what the result was made of. */
export function headerPart(document: Document, title: string): Markup {
  const { about, verdict, failure, shard, plan } = document;
  const { tone, word } = statusOf(document);
  return html`<header class="${tone}">
    <a class="skip" href="#content">Skip to the content</a>
    <h1><bdi>${title}</bdi> <span class="badge status">${word}</span></h1>
    <p class="verdict"><bdi>${failure ? printable(failure.message) : verdict}</bdi></p>
    ${plan && about ? html`<p>${summaryLine(about.summary)}</p>` : ""}
    ${plan?.shard || shard ? html`<p>${prose(plan?.shard || shard)}</p>` : ""}
    ${about ? factsPart(document, about) : ""}
  </header>`;
}

/** Whether a result is good, to be looked at, or an obstacle, and in a word why. */
function statusOf(document: Document): Status {
  const { about, failure, problems, changes, remarks, outcomes, isDrift, plan, checked } = document;
  // The document of a report has what refuses its plan only there.
  const { refusal, findings } = plan ?? document;
  if (failure || (!about && problems.some(isError))) return { tone: "bad", word: "No plan" };
  if (checked.length > 0) return checkStatus(document);
  if (!about) return { tone: "good", word: "Valid" };
  if (refusal !== "") return { tone: "bad", word: "Refused" };
  if (findings.some(isError)) return { tone: "bad", word: "Blocked" };
  if (remarks.some(isError) || outcomes.some(({ status }) => status === "failed"))
    return { tone: "bad", word: "Failed" };
  if (plan)
    return outcomes.length > 0 ? { tone: "warn", word: "Incomplete" } : { tone: "good", word: "Applied" };
  if (changes.every((group) => group.changes.length === 0)) return { tone: "good", word: "In sync" };
  return isDrift ? { tone: "warn", word: "Drift" } : { tone: "info", word: "To apply" };
}

function checkStatus({ findings, checked }: Pick<Document, "findings" | "checked">): Status {
  if (findings.some(isError)) return { tone: "bad", word: "Failed" };
  if (checked.some(({ unknown }) => unknown > 0)) return { tone: "bad", word: "Unknown" };
  return { tone: "good", word: "Passed" };
}

interface Status {
  readonly tone: "good" | "info" | "warn" | "bad";
  readonly word: string;
}

function factsPart({ run }: Document, about: About): Markup {
  const { git, tool, createdAt } = about;
  const commit = git.commit === null ? "none" : `${git.commit}${git.dirty ? " and uncommitted changes" : ""}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
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
  return html`<dl class="facts">${shown}</dl>`;
}

/** The sections of a page, in reading order, without those that are empty. */
export function* sectionsOf(document: Document, entries: readonly PageEntry[], view: View): Iterable<Markup> {
  const plan = document.plan ?? document;
  const { about, settings, findings, removals, rules, notes, unmanaged } = plan;
  const problems = document === plan ? plan.problems : [...document.problems, ...plan.problems];
  const errors = problems.filter(isError);
  const warnings = problems.filter(({ severity }) => severity === "warning");
  yield html`<div id="content"></div>`;
  yield section(
    "Notes on the apply",
    document.remarks.map(({ severity, text }) => html`<li class="${severity}">${prose(text)}</li>`),
  );
  yield section(
    "Not applied",
    document.outcomes.map(
      ({ status, lines }) => html`<li class="${status}"><pre>${lines.join("\n")}</pre></li>`,
    ),
    document.outcomes.reduce((sum, row) => sum + row.outcomes.length, 0),
  );
  yield section(
    "Problems",
    errors.map((problem) => problemItem(problem, view)),
    errors.length,
    plan.refusal,
  );
  yield section("Blocked", findings.filter(isError).map(findingItem));
  yield policiesPart(plan, view);
  yield removedPart(plan, removals);
  if (about) yield changesPart(plan, entries);
  yield section(
    "Rules",
    rules
      .filter(({ matchedInPart }) => matchedInPart > 0)
      .map(({ id, text }) => html`<li><b>${printable(id)}</b>: ${prose(text)}</li>`),
  );
  yield section("Skipped", findings.filter(({ severity }) => severity === "warning").map(findingItem));
  yield section(
    "Warnings",
    warnings.map((problem) => problemItem(problem, view)),
  );
  yield section(
    settingsHead,
    settings.map((setting) => {
      const { sign, text } = settingText(setting);
      return html`<li><code>${sign} ${text}</code></li>`;
    }),
    settings.length,
  );
  if (unmanaged.length > 0) yield unmanagedPart(plan, unmanaged);
  yield section(
    "Notes",
    notes.map((note) => html`<li>${prose(note)}</li>`),
  );
}

/** An instant in ISO 8601 as people write it, to the minute. */
function timeText(instant: string): string {
  return instant.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, "$1 $2 UTC");
}

/** The violations that a plan introduces, and the verdicts of all policies. */
function policiesPart({ policies, policyTotals }: Document, { fileOf }: View): Markup {
  const items = policies.map(
    ({ severity, text, origin }) =>
      html`<li class="${severity}">
        ${prose(text)}${origin === undefined ? "" : placeOf(origin, fileOf?.(origin))}
      </li>`,
  );
  if (items.length === 0 && policyTotals !== "")
    return html`<section>
      <h2>Policies</h2>
      <p>${policyTotals}</p>
    </section>`;
  return section("Policies", items, items.length, policyTotals);
}

/** A place in a manifest, as a link where it has a page. */
function placeOf(origin: Origin, page: string | undefined, shown = positionText(origin)): Markup {
  return html`<p class="source">
    ${page === undefined ? html`<bdi>${shown}</bdi>` : html`<a href="${page}"><bdi>${shown}</bdi></a>`}
  </p>`;
}

/** A list below a heading with its number; nothing without items. */
function section(title: string, items: readonly Markup[], number = items.length, lead = ""): Markup {
  if (items.length === 0) return html``;
  const left = items.length - mostRows;
  return html`<section>
    <h2>${title} <span class="count">${numberText(number)}</span></h2>
    ${lead === "" ? "" : html`<p>${prose(lead)}</p>`}
    <ul class="rows">
      ${items.slice(0, mostRows)}${left > 0 ? html`<li>… and ${numberText(left)} more</li>` : ""}
    </ul>
  </section>`;
}

function findingItem({ text, severity }: FindingRow): Markup {
  return html`<li class="${severity}">${prose(text.replace(/^Blocked: /, ""))}</li>`;
}

function problemItem(
  { severity, code, text, origin, isOfFile, related, source }: ProblemRow,
  { fileOf }: View,
): Markup {
  const line = source();
  const shown = origin && (isOfFile ? printable(origin.file) : positionText(origin));
  return html`<li class="${severity}">
    <span class="badge">${printable(code)}</span> ${prose(text)}${
      related ? html` (see also <code>${positionText(related)}</code>)` : ""
    }
    ${origin ? placeOf(origin, fileOf?.(origin), shown) : ""}
    ${line === undefined ? "" : html`<pre><code>${printable(line).slice(0, 300)}</code></pre>`}
  </li>`;
}

function changesPart(document: Document, entries: readonly PageEntry[]): Markup {
  const changes = document.changes.flatMap((group) => group.changes);
  if (entries.length === 0) return html``;
  const left = entries.length - mostStatic;
  const heads = new Map(groupBy(entries, (entry) => entry.class ?? ""));
  const shown = entries.slice(0, mostStatic).map((entry, index) => {
    const isFirst = entry.class !== undefined && entries[index - 1]?.class !== entry.class;
    const head = isFirst
      ? templates.groupHead(entry.class ?? "", heads.get(entry.class ?? "")?.length ?? 0)
      : "";
    return html`${head}${templates.entry(entry)}`;
  });
  return html`<section id="changes">
    <h2>Changes <span class="count">${numberText(changes.length)}</span></h2>
    ${document.isDrift ? html`<p>${prose(driftLegend())}</p>` : ""}
    ${countBars(changes.filter(isFacetChange), document)} ${filtersPart(entries)}
    <div id="list">${shown}</div>
    ${left > 0 ? html`<p id="more">These are the first ${mostStatic}. ${numberText(left)} more are in the list where a browser runs its script.</p>` : ""}
  </section>`;
}

function unmanagedPart({ about, unmanagedHead }: Document, unmanaged: readonly Unmanaged[]): Markup {
  const rows = unmanaged.slice(0, mostRows).map(
    (each) =>
      html`<tr>
        <td><bdi>${printable(plainNameOf(each.urn, about?.names))}</bdi></td>
        <td>${each.facet === undefined ? "" : placeIn(each)}</td>
        <td><bdi>${each.facet === undefined ? "" : valueText(each.facet, each.value, about?.names)}</bdi></td>
        <td>${printable(unmanagedReason(each, about?.names))}</td>
      </tr>`,
  );
  const left = unmanaged.length - rows.length;
  return html`<section>
    <h2>${unmanagedHead} <span class="count">${numberText(unmanaged.length)}</span></h2>
    <ul class="rows">
      ${unmanagedCounts(unmanaged).map((line) => html`<li>${printable(line)}</li>`)}
    </ul>
    <details>
      <summary>The values</summary>
      <div class="scroll" role="region" aria-label="Values that are not managed" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">Entity</th>
              <th scope="col">Field</th>
              <th scope="col">Value</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>
      ${left > 0 ? html`<p>… and ${numberText(left)} more</p>` : ""}
    </details>
  </section>`;
}
