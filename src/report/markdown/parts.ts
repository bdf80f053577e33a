/** Makes the Markdown sections of a document. */

import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import type { SettingChange } from "../../model/plan.ts";
import { isOfPolicy, policyGuard } from "../../plan/policies/findings.ts";
import { countedText, numberText } from "../count.ts";
import type { Document, PolicyHelp, ProblemRow } from "../document/document.ts";
import { deletionsIn, lossesOf } from "../document/losses.ts";
import { driftHeads, policyChangesHead, settingsHead, settingText } from "../document/notes.ts";
import { positionText } from "../document/values.ts";
import {
  changeRows,
  conflictRows,
  deletionRows,
  hasGain,
  lossRows,
  type RowOptions,
  unmanagedRows,
} from "./changes.ts";
import { codeSpan, lineText, maxSentenceLength, prose } from "./escape.ts";
import { pagesLine } from "./page-links.ts";
import { countOf, gap, type Row, type Section } from "./sections.ts";

/** Operations that were not applied. */
export function outcomePart({ outcomes }: Document): Section {
  const rows = outcomes.map(({ lines, outcomes: those }) => ({
    text: lines.map((line) => `! ${lineText(line, maxSentenceLength)}`).join("\n"),
    of: those.length,
  }));
  return { rank: 0, head: "", form: "diff", rows, noun: "operation" };
}

/** The settings that have changed. */
export function settingsPart({ settings }: Document): Section {
  return changedPart(settings, settingsHead, "setting");
}

/** The policies and waivers that have changed. */
export function policyChangesPart({ policyChanges }: Document): Section {
  return changedPart(policyChanges, policyChangesHead, "change of policies");
}

function changedPart(changes: readonly SettingChange[], head: string, noun: string): Section {
  const rows = changes.map((setting) => {
    const { sign, text } = settingText(setting);
    return rowOf(`${sign === "~" ? "!" : sign} ${lineText(text, maxSentenceLength)}`);
  });
  return { rank: 0, head: `#### ${head}`, form: "diff", rows, noun };
}

function rowOf(text: string): Row {
  return { text, of: 1 };
}

/** Finds the page of a place in a manifest, if it has one. */
export type LinkOf = (origin: Origin) => string | undefined;

/** The errors, always open. The heading is their effect on an apply, or else their number. */
export function errorPart({ problems, refusal }: Document, linkOf?: LinkOf): Section {
  const errors = problems.filter(({ severity }) => severity === "error");
  const head = refusal === "" ? `#### ${countedText(errors.length, "error")}` : refusal;
  const rows = errors.map((problem) => problemRow(problem, linkOf));
  return { rank: 2, head, form: "list", rows, noun: "error" };
}

/** The warnings, collapsed. */
export function warningPart({ problems }: Document): Section {
  const warnings = problems.filter(({ severity }) => severity === "warning");
  const head = countedText(warnings.length, "warning");
  const rows = warnings.map((problem) => problemRow(problem));
  return { rank: 6, head, form: "list", isFolded: true, rows, noun: "warning" };
}

function problemRow({ code, text, origin, isOfFile, related }: ProblemRow, linkOf?: LinkOf): Row {
  const parts = [
    ...(origin ? [placeText(origin, linkOf, isOfFile ? origin.file : undefined)] : []),
    `${codeSpan(code)}: ${prose(text)}`,
    ...(related ? [`(see also ${codeSpan(positionText(related))})`] : []),
  ];
  return rowOf(`- ${parts.join(" ")}`);
}

/** The guards that block the plan. */
export function guardPart(document: Document): Section {
  const rows = findingRows(document, "error");
  return { rank: 0, head: `#### Blocked by guards: ${rows.length}`, form: "list", rows, noun: "guard" };
}

/** The policies that stop the plan, its violations and unknown verdicts, and explanations. */
export function policyPart(document: Document, linkOf?: LinkOf): Section {
  const { policies, lifted, unknownVerdicts, policyHelp, judged } = document;
  const unknown = judged.reduce((sum, each) => sum + each.unknown, 0);
  const rows = [
    ...findingRows(document, policyGuard),
    ...[...policies, ...lifted, ...unknownVerdicts].map(({ severity, text, origin }) => {
      const place = origin ? ` (${placeText(origin, linkOf)})` : "";
      return rowOf(`- ${severity}: ${prose(text)}${place}`);
    }),
    ...policyHelp.map((help) => helpRow(help, linkOf)),
  ];
  const also = unknown > 0 && unknownVerdicts.length > 0 ? `, ${numberText(unknown)} unknown` : "";
  return {
    rank: 0,
    head: `#### Policies: ${countedText(policies.length, "new violation")}${also}`,
    form: "list",
    rows,
    noun: "violation",
  };
}

function helpRow({ text, origin, waiver }: PolicyHelp, linkOf?: LinkOf): Row {
  const head = `- ${prose(text)} (${placeText(origin, linkOf)})`;
  if (waiver.length === 0) return { text: head, of: 0 };
  const block = ["```yaml", ...waiver, "```"].map((line) => `  ${line}`).join("\n");
  return { text: `${head}; to waive it, declare:\n\n${block}\n`, of: 0 };
}

/** Each policy of a check with its numbers, and the verdicts that are not new violations, collapsed. */
export function checkedPart({ checked }: Document): Section {
  const rows = checked.map(({ text, lines }) =>
    rowOf([`- ${prose(text)}`, ...lines.map((line) => `  - ${prose(line)}`)].join("\n")),
  );
  const head = countedText(checked.length, "policy", "policies");
  return { rank: 5, head, form: "list", isFolded: true, rows, noun: "policy" };
}

function placeText(origin: Origin, linkOf?: LinkOf, shown = positionText(origin)): string {
  const page = linkOf?.(origin);
  return page === undefined ? codeSpan(shown) : `[${codeSpan(shown)}](<${page}>)`;
}

/** The entities that were skipped because they are not in the catalog. */
export function skippedPart(document: Document): Section {
  return { rank: 0, head: "", form: "list", rows: findingRows(document, "warning"), noun: "note" };
}

function findingRows({ findings }: Document, of: "error" | "warning" | typeof policyGuard): readonly Row[] {
  return findings
    .filter((finding) => (isOfPolicy(finding) ? policyGuard : finding.severity) === of)
    .map(({ text }) => rowOf(`- ${prose(text).replace(/^Blocked:/, "**Blocked:**")}`));
}

/** The losses of a plan: conflicts, deletions, and removed values. */
export function lossParts(document: Document, all?: boolean): readonly Section[] {
  const { about, removals } = document;
  const options = { names: about?.names, all };
  const changes = changesIn(document);
  const deletions = deletionsIn(changes);
  const conflicts = conflictRows(changes, options.names, document.isReview);
  const losses = lossRows(changes, options);
  const lossHead = `#### Removed: ${countedText(countOf(losses), "value")}`;
  const diff = { form: "diff" } as const;
  return [
    { ...diff, rank: 3, head: `#### Conflicts: ${conflicts.length}`, rows: conflicts, noun: "conflict" },
    {
      ...diff,
      rank: 1,
      head: `#### Deleted: ${countedText(deletions.length, "entity", "entities")}`,
      rows: deletionRows(deletions, options),
      bare: deletions.map(({ urn }) => rowOf(`- ${lineText(urn)}`)),
      noun: "deletion",
      pages: pagesLine(deletions, about),
    },
    {
      ...diff,
      rank: 4,
      head: removals === "" ? lossHead : lossHead + gap + prose(removals),
      rows: losses,
      noun: "value",
      pages: pagesLine(
        changes.filter((change) => lossesOf(change).length > 0),
        about,
      ),
    },
  ];
}

/** The values that a plan adds and replaces, in a collapsed section for each kind. */
export function gainParts(document: Document, all?: boolean): readonly Section[] {
  const gains = changesIn(document).filter(hasGain);
  return [...groupBy(gains, ({ kind }) => kind)].map(([kind, those]) => {
    const entities = [...groupBy(those, ({ urn }) => urn).values()].map(([first]) => first?.action);
    const counts = (["create", "update"] as const).flatMap((action) => {
      const number = entities.filter((each) => each === action).length;
      return number === 0 ? [] : [`${numberText(number)} to ${action}`];
    });
    const head = `<b>${kind}</b>: ${counts.join(", ")} (${countedText(those.length, "change")})`;
    return collapsedSection(head, those, document, all);
  });
}

/** The values that changes add and replace, collapsed. */
export function collapsedSection(
  head: string,
  changes: readonly Change[],
  { about }: Document,
  all?: boolean,
): Section {
  const part = changesPart(head, changes, { names: about?.names, all, only: "gains" });
  return { ...part, rank: 5, isFolded: true, pages: pagesLine(changes, about) };
}

/** Changes as a section. */
export function changesPart(head: string, changes: readonly Change[], options: RowOptions): Section {
  return { rank: 4, head, form: "diff", rows: changeRows(changes, options), noun: "change" };
}

/** The changes of a document, of all classes. */
export function changesIn({ changes }: Document): readonly Change[] {
  return changes.flatMap((group) => group.changes);
}

/** Drift by class. Pending changes are collapsed. */
export function driftParts({ changes: groups, about }: Document, all?: boolean): readonly Section[] {
  return groups.map(({ class: of = "changed", changes }): Section => {
    const head = `${driftHeads[of]} (${countedText(changes.length, "change")})`;
    const options = { names: about?.names, all, isDrift: true };
    if (of !== "pending") return changesPart(`#### ${head}`, changes, options);
    return { ...changesPart(head, changes, options), rank: 5, isFolded: true };
  });
}

/** The values that are not managed, collapsed. */
export function unmanagedPart({ unmanaged, unmanagedHead, about }: Document): Section {
  const rows = unmanagedRows(unmanaged, about?.names);
  const head = `${unmanagedHead}: ${countedText(rows.length, "value")}`;
  return { rank: 7, head, form: "diff", isFolded: true, rows, noun: "value" };
}
