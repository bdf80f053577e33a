import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Plan } from "../../model/plan.ts";
import { refusingProblems } from "../../plan/plan.ts";
import { changesByClass, driftHeads } from "../drift.ts";
import { findingText } from "../text/finding-text.ts";
import { changeRows, isListed, unmanagedRows } from "./change-rows.ts";
import { driftRows } from "./drift-rows.ts";
import { plain } from "./lines.ts";
import {
  bareDeletionRows,
  conflictRows,
  deletionRows,
  deletionsIn,
  lossesOf,
  lossRows,
} from "./loss-rows.ts";
import { pagesLine } from "./pages.ts";
import { additionSections, replacementSection, ruleSections } from "./review-groups.ts";
import { errorSection, type LinkOf, warningSection } from "./problem-sections.ts";
import { countOf, gap, many, numberText, type Section } from "./section.ts";
import { lineText, longestSentence, prose } from "./escape.ts";
import { markOf, settingLine, settingsHead } from "../text/settings-text.ts";
import { type PlanView, refusalEffect, removalLine } from "../text/plan-text.ts";
import { unmanagedHead } from "../text/unmanaged-text.ts";

/** The sections of a plan in reading order. Their ranks say which are most important. */
export function planSections(
  plan: Plan,
  { isWhole = true, unmanaged, countsKept = isWhole, all }: PlanView,
): readonly Section[] {
  return [
    settingsSection(plan),
    errorSection(plan, isWhole ? refusalHead(plan) : undefined),
    guardSection(plan),
    conflictSection(plan),
    deletionSection(plan, all),
    lossSection(plan, countsKept, all),
    ...changeSections(plan, all),
    missingSection(plan),
    warningSection(plan),
    ...(unmanaged === "none" ? [] : [unmanagedSection(plan)]),
  ];
}

/** The sections of a plan for a reviewer: what is in the way, what is lost, then what is added, by domain. */
export function reviewSections(plan: Plan, linkOf?: LinkOf): readonly Section[] {
  return [
    errorSection(plan, refusalHead(plan), linkOf),
    settingsSection(plan),
    guardSection(plan),
    conflictSection(plan),
    deletionSection(plan),
    lossSection(plan, true),
    replacementSection(plan),
    ...ruleSections(plan),
    ...additionSections(plan),
    missingSection(plan),
    warningSection(plan),
    unmanagedSection(plan),
  ];
}

function settingsSection({ settingsChanges = [] }: Plan): Section {
  return {
    rank: 0,
    head: `#### ${settingsHead}`,
    form: "diff",
    rows: settingsChanges.map((change) => {
      const [mark] = markOf(change);
      return {
        text: `${mark === "~" ? "!" : mark} ${lineText(settingLine(change), longestSentence)}`,
        of: 1,
      };
    }),
    noun: ["setting", "settings"],
  };
}

function refusalHead(plan: Plan): string | undefined {
  return refusingProblems(plan).length === 0 ? undefined : refusalEffect;
}

function guardSection({ findings }: Plan): Section {
  const rows = rowsOf(findings.filter(({ severity }) => severity === "error"));
  return {
    rank: 0,
    head: `#### Blocked by guards: ${rows.length}`,
    form: "list",
    rows,
    noun: ["guard", "guards"],
  };
}

/** The sections of drift in reading order: changes by class, then what was skipped and what is not managed. */
export function driftSections(plan: Plan, { unmanaged, all }: PlanView): readonly Section[] {
  return [
    settingsSection(plan),
    errorSection(plan, refusalHead(plan)),
    ...changesByClass(plan.changes).map(({ of, changes }): Section => {
      const rows = driftRows(changes, { names: plan.names, all });
      const about = `${driftHeads[of]} (${many(changes.length, ["change", "changes"])})`;
      const common = { form: "diff", rows, noun: ["change", "changes"] } as const;
      return of === "pending"
        ? { ...common, rank: 5, head: about, isFolded: true }
        : { ...common, rank: 4, head: `#### ${about}` };
    }),
    missingSection(plan),
    warningSection(plan),
    ...(unmanaged === "none" ? [] : [unmanagedSection(plan)]),
  ];
}

function missingSection({ findings }: Plan): Section {
  const rows = rowsOf(findings.filter(({ severity }) => severity === "warning"));
  return { rank: 0, head: "", form: "list", rows, noun: ["note", "notes"] };
}

function rowsOf(findings: Plan["findings"]): Section["rows"] {
  return findings.map((finding) => {
    const text = prose(findingText(finding, plain).trimEnd());
    return { text: `- ${text.replace(/^Blocked:/, "**Blocked:**")}`, of: 1 };
  });
}

function conflictSection(plan: Plan): Section {
  const rows = conflictRows(plan);
  return {
    rank: 3,
    head: `#### Conflicts: ${rows.length}`,
    form: "diff",
    rows,
    noun: ["conflict", "conflicts"],
  };
}

function deletionSection(plan: Plan, all?: boolean): Section {
  const rows = deletionRows(plan, all);
  const head = `#### Deleted: ${many(rows.length, ["entity", "entities"])}`;
  const pages = pagesLine(deletionsIn(plan.changes), plan);
  const noun = ["deletion", "deletions"] as const;
  return { rank: 1, head, form: "diff", rows, bare: bareDeletionRows(plan), noun, pages };
}

function lossSection(plan: Plan, countsKept: boolean, all?: boolean): Section {
  const rows = lossRows(plan, all);
  const line = countsKept ? removalLine(plan).trimEnd() : "";
  const head = `#### Removed: ${many(countOf(rows), ["value", "values"])}`;
  return {
    rank: 4,
    head: line === "" ? head : head + gap + prose(line),
    form: "diff",
    rows,
    noun: ["value", "values"],
    pages: pagesLine(plan.changes.filter(isLosing), plan),
  };
}

function isLosing(change: Change): boolean {
  return isFacetChange(change) && lossesOf(change).length > 0;
}

function changeSections(plan: Plan, all?: boolean): readonly Section[] {
  const { changes, names } = plan;
  return [...groupBy(changes.filter(isListed), ({ kind }) => kind)].map(([kind, those]) => {
    const entities = [...groupBy(those, ({ urn }) => urn).values()].map(([first]) => first?.action);
    const counts = (["create", "update"] as const).flatMap((action) => {
      const number = entities.filter((each) => each === action).length;
      return number === 0 ? [] : [`${numberText(number)} to ${action}`];
    });
    const head = `<b>${kind}</b>: ${counts.join(", ")} (${many(those.length, ["change", "changes"])})`;
    return {
      rank: 5,
      head,
      form: "diff",
      isFolded: true,
      rows: changeRows(those, { names, all }),
      noun: ["change", "changes"],
      pages: pagesLine(those, plan),
    };
  });
}

function unmanagedSection(plan: Plan): Section {
  const rows = unmanagedRows(plan);
  const head = `${unmanagedHead(plan)}: ${many(rows.length, ["value", "values"])}`;
  return { rank: 7, head, form: "diff", isFolded: true, rows, noun: ["value", "values"] };
}
