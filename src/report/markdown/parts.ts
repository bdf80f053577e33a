/** Makes the Markdown sections of a document. */

import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { isError } from "../../model/problem.ts";
import { isOfPolicy, policyGuard } from "../../plan/policies/findings.ts";
import { countedText, numberText } from "../count.ts";
import type { Document, OutcomeRow } from "../document/document.ts";
import { deletionsIn, lossesOf } from "../document/losses.ts";
import { driftHeads, policyChangesHead, settingsHead } from "../document/notes.ts";
import type { Row } from "../page.ts";
import {
  changeRows,
  conflictRows,
  deletionRows,
  hasGain,
  lossRows,
  type RowOptions,
  unmanagedRows,
} from "./changes.ts";
import { lineText, maxSentenceLength, prose } from "./escape.ts";
import { pagesLine } from "./page-links.ts";
import { type LinkOf, listRow, settingRow } from "./rows.ts";
import { countOf, gap, type PrintedRow, type Section } from "./sections.ts";

/** The sections of a document, except for those of its changes. */
type SectionName =
  | "outcomes"
  | "settings"
  | "policyChanges"
  | "errors"
  | "guards"
  | "policies"
  | "checked"
  | "skipped"
  | "warnings"
  | "unmanaged";

/** The sections of a document by name, except for those of its changes. Errors are always open; their heading is their effect. */
export function sectionsOf(document: Document, linkOf?: LinkOf): Readonly<Record<SectionName, Section>> {
  const { outcomes, settings, policyChanges, problems, refusal, findings, unmanaged, about } = document;
  const { policies, lifted, unknownVerdicts, policyHelp, judged, checked } = document;
  const rowOf = (row: Row): PrintedRow => listRow(row, linkOf);
  const found = (of: "error" | "warning" | typeof policyGuard): readonly PrintedRow[] =>
    findings.filter((each) => (isOfPolicy(each) ? policyGuard : each.severity) === of).map(findingRow);
  const errors = problems.filter(isError);
  const warnings = problems.filter((problem) => !isError(problem));
  const guards = found("error");
  const verdicts = [...policies, ...lifted, ...unknownVerdicts, ...policyHelp].map(rowOf);
  const unknown = judged.reduce((sum, each) => sum + each.unknown, 0);
  const also = unknown > 0 && unknownVerdicts.length > 0 ? `, ${numberText(unknown)} unknown` : "";
  const kept = unmanagedRows(unmanaged, about?.names);
  const [diff, list] = [
    { rank: 0, head: "", form: "diff" },
    { rank: 0, head: "", form: "list" },
  ] as const;
  const folded = { form: "list", isFolded: true } as const;
  return {
    outcomes: { ...diff, rows: outcomes.map(outcomeRow), noun: "operation" },
    settings: { ...diff, head: `#### ${settingsHead}`, rows: settings.map(settingRow), noun: "setting" },
    policyChanges: {
      ...diff,
      head: `#### ${policyChangesHead}`,
      rows: policyChanges.map(settingRow),
      noun: "change of policies",
    },
    errors: {
      ...list,
      rank: 2,
      head: refusal === "" ? `#### ${countedText(errors.length, "error")}` : refusal,
      rows: errors.map(rowOf),
      noun: "error",
    },
    guards: { ...list, head: `#### Blocked by guards: ${guards.length}`, rows: guards, noun: "guard" },
    policies: {
      ...list,
      head: `#### Policies: ${countedText(policies.length, "new violation")}${also}`,
      rows: [...found(policyGuard), ...verdicts],
      noun: "violation",
    },
    checked: {
      ...folded,
      rank: 5,
      head: countedText(checked.length, "policy", "policies"),
      rows: checked.map(({ origin: _, ...row }) => listRow(row)),
      noun: "policy",
    },
    skipped: { ...list, rows: found("warning"), noun: "note" },
    warnings: {
      ...folded,
      rank: 6,
      head: countedText(warnings.length, "warning"),
      rows: warnings.map((row) => listRow(row)),
      noun: "warning",
    },
    unmanaged: {
      ...folded,
      rank: 7,
      head: `${document.unmanagedHead}: ${countedText(kept.length, "value")}`,
      form: "diff",
      rows: kept,
      noun: "value",
    },
  };
}

function findingRow(finding: Row): PrintedRow {
  const { text, of } = listRow({ text: finding.text });
  return { text: text.replace(/^- Blocked:/, "- **Blocked:**"), of };
}

function outcomeRow({ lines, outcomes }: OutcomeRow): PrintedRow {
  const text = lines.map((line) => `! ${lineText(line, maxSentenceLength)}`).join("\n");
  return { text, of: outcomes.length };
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
      bare: deletions.map(({ urn }) => ({ text: `- ${lineText(urn)}`, of: 1 })),
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
