/** Converts any type of result into the document that all formats print. */

import { driftClasses } from "../../model/change.ts";
import type { Finding, Names, Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { guardText } from "../../plan/checks/guards/index.ts";
import { policyGuard } from "../../plan/policies/findings.ts";
import { isOfFight } from "../../plan/notes/fights.ts";
import { refusingProblems } from "../../plan/plan.ts";
import { count } from "../count.ts";
import { printable } from "../printable.ts";
import {
  type Document,
  emptyDocument,
  type FindingRow,
  type Remark,
  type Result,
  type View,
} from "./document.ts";
import {
  restoredDataNote,
  driftLine,
  keptDefinitionsNote,
  keptValuesNote,
  outcomeLine,
  referencesNote,
  removalNote,
  rewritingNote,
  settingRow,
  shardNote,
  summaryLine,
  unmanagedHead,
  unverifiedNote,
  withoutBaseNote,
} from "./notes.ts";
import { fightText } from "./fights.ts";
import { checkDocument } from "./check.ts";
import { policyHelpOf, policyRows, policyTotalsText, noLongerStoppedRows, unknownRows } from "./policies.ts";
import { outcomeRows } from "./outcomes.ts";
import { countsOf, problemRow } from "./problems.ts";
import { ruleText } from "./rules.ts";

/** Converts a result into a document. Fields that do not apply are empty. */
export function documentOf(result: Result, view: View): Document {
  if ("plan" in result) return planDocument(result.plan, view);
  if ("drift" in result) return driftDocument(result.drift, view);
  if ("report" in result) return reportDocument(result.report, view);
  if ("check" in result) return checkDocument(result.check, view);
  if ("failure" in result) return { ...emptyDocument, verdict: "Error", failure: result.failure };
  const { problems, sentence = `Refused: ${countsOf(problems)}` } = result;
  return {
    ...emptyDocument,
    verdict: sentence,
    problems: problems.map((problem) => problemRow(problem, view.lineOf)),
    complete: "The full list of problems is available as JSON (`--format json`).",
  };
}

/**
 * Builds a plan's document. If `withAdvice` is set, notes suggest modes and `--prune`. Upserts and reports have no such notes.
 */
function planDocument(plan: Plan, view: View, withAdvice = view.isRefusable ?? true): Document {
  const { isRefusable = true, unmanaged } = view;
  const { names, rules = [], changes, findings, summary } = plan;
  const refusing = isRefusable ? refusingProblems(plan).length : 0;
  const left = [keptDefinitionsNote(plan), unmanaged === "none" ? "" : keptValuesNote(plan)];
  const notes = [restoredDataNote(plan), ...left, rewritingNote(plan)];
  return {
    ...commonOf(plan, view),
    verdict: refusing > 0 ? `Refused: ${count(refusing, "problem")}.` : summaryLine(summary),
    shard: shardNote(plan),
    refusal: refusing > 0 ? refusalEffect : "",
    findings: findings.map((finding) => findingRow(finding, names, view)),
    isReview: view.isReview,
    changes: [{ changes }],
    removals: withAdvice ? removalNote(plan) : "",
    rules: rules
      .filter(({ matchedInPart }) => matchedInPart > 0)
      .map((rule) => ({ ...rule, text: printable(`rule ${rule.id}: ${ruleText(rule, names)}`) })),
    notes: withAdvice && !view.isReview ? notes.filter((text) => text !== "").map((text) => ({ text })) : [],
    complete: "The full plan is available as JSON (`plan --out`).",
  };
}

function driftDocument(plan: Plan, view: View): Document {
  const { changes, findings, git, names } = plan;
  return {
    ...commonOf(plan, view),
    verdict: driftLine(plan),
    isDrift: true,
    refusal: refusingProblems(plan).length > 0 ? refusalEffect : "",
    // Omits findings that would block an apply, because drift is not applied.
    findings: findings
      .filter(({ severity }) => severity === "warning")
      .map((finding) => findingRow(finding, names)),
    changes: driftClasses
      .map((each) => ({ class: each, changes: changes.filter((change) => change.class === each) }))
      .filter((group) => group.changes.length > 0),
    notes: git.base === null && changes.length > 0 ? [{ text: withoutBaseNote }] : [],
    complete: "The full report is available as JSON (`drift --format json`).",
  };
}

/** Builds the fields that plans and drift have in common. */
function commonOf(plan: Plan, { lineOf, unmanaged, all }: View): Document {
  const { names, settingsChanges: settings = [], problems = [], policies = [], summary } = plan;
  return {
    ...emptyDocument,
    about: plan,
    settings: settings.map(settingRow),
    policyChanges: (plan.policyChanges ?? []).map(settingRow),
    lifted: noLongerStoppedRows(plan),
    problems: problems.map((problem) => problemRow(problem, lineOf, names)),
    policies: policyRows(plan),
    unknownVerdicts: unknownRows(plan, all),
    policyHelp: policyHelpOf(policies, plan.createdAt),
    judged: policies,
    policyTotals: summary.policies ? policyTotalsText(summary.policies) : "",
    unmanaged: unmanaged === "none" ? [] : plan.unmanaged,
    unmanagedHead: unmanagedHead(plan),
  };
}

function reportDocument(report: Report, view: View): Document {
  const { plan, outcomes, run } = report;
  return {
    ...emptyDocument,
    about: plan,
    verdict: outcomeLine(outcomes),
    outcomes: outcomeRows(outcomes, plan.names, view.all),
    // If there are outcomes, the plan was applied, so it was not refused.
    plan: planDocument(plan, { ...view, isRefusable: outcomes.length === 0 }, false),
    run,
    remarks: remarksOn(report),
    complete: "The full report is available as JSON (`apply --format json`).",
  };
}

/** Returns remarks about values that could not be read back, and about remaining references to deleted entities. */
export function remarksOn({ plan, unproved, referencesLeft = [] }: Report): readonly Remark[] {
  const verify = { severity: "error", isLabeled: true, title: "verify" } as const;
  const left = { severity: "warning", isLabeled: true, title: "references left" } as const;
  return [
    ...(unproved === undefined ? [] : [{ ...verify, text: unverifiedNote(unproved) }]),
    ...referencesLeft.map((each) => ({ ...left, text: referencesNote(each, plan.names) })),
  ];
}

/** How problems that block the plan affect `apply`. */
const refusalEffect = "`apply` writes nothing until all problems are fixed.";

/** Converts a finding into a document row. */
export function findingRow(
  finding: Finding,
  names?: Names,
  { isReview = false }: { readonly isReview?: boolean | undefined } = {},
): FindingRow {
  const { flag, setting, numbers, severity } = finding;
  const found = guardText(finding);
  if (found !== undefined) {
    const way = isReview
      ? `To allow this, first change \`${setting}\` in the settings in a separate pull request.`
      : `To allow this, use ${flag} or change \`${setting}\` in the settings.`;
    return { ...finding, text: `Blocked: ${printable(`${found}. ${way}`)}` };
  }
  const lifted = numbers["noLongerStopped"];
  if (finding.guard === policyGuard && lifted !== undefined) {
    const text = `policy ${finding.rule} no longer blocks ${count(lifted, "violation")} that it blocked before this change`;
    const blocked = severity === "error" ? "Blocked: " : "Warning: ";
    return { ...finding, text: `${blocked}${printable(`${text}.`)}` };
  }
  if (finding.guard === policyGuard) {
    const violations = count(numbers["violations"] ?? 0, "violation");
    const way = "Fix the manifests, or declare a waiver.";
    return { ...finding, text: `Blocked: ${printable(`policy ${finding.rule}: ${violations}. ${way}`)}` };
  }
  if (isOfFight(finding)) return { ...finding, text: printable(fightText(finding, names)) };
  const parts = Object.entries(numbers).map(([what, number]) => count(number, what.replace(/s$/, "")));
  const way = isReview ? `set \`${setting}\` in the settings` : `use ${flag}`;
  const text = `Missing from the catalog and skipped: ${parts.join(", ")}. To report an error instead, ${way}.`;
  return { ...finding, text: printable(text) };
}
