import { withNamedKeys } from "../../facets/places.ts";
import type { Change } from "../../model/change.ts";
import { canonicalJson } from "../../model/json.ts";
import type { Plan } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { hasFights } from "../../plan/diff/held-back.ts";
import { sha256 } from "../../plan/hash.ts";
import { isStopped } from "../../plan/judge/findings.ts";
import { count } from "../count.ts";
import { documentOf } from "../document/documents.ts";
import { countDrift, driftLegend } from "../document/notes.ts";
import { footOf, partsOf } from "../markdown/markdown.ts";
import { changesPart } from "../markdown/parts.ts";
import { longestComment, textWithin } from "../markdown/sections.ts";

/** Where to find what an issue is about. */
export interface DriftLinks {
  /** The page of the run that found the drift. */
  readonly run?: string | undefined;
  /** The page from which the workflow is run by hand. */
  readonly workflow?: string | undefined;
}

/** An issue about drift. */
export interface DriftIssueText {
  readonly title: string;
  readonly text: string;
  /** The same for equal drift. It is in the text, where it is not shown. */
  readonly digest: string;
  /** The comment that says what has changed since an issue had another text. */
  changedSince(before: string): string;
}

/** The most changes of which an issue keeps what it takes to distinguish new ones from others. */
const maxKept = 1000;

/** The text of an issue about drift, or nothing where there is none: pending changes are not drift. */
export function driftIssueText(plan: Plan, links: DriftLinks): DriftIssueText | undefined {
  const drift = driftOf(plan);
  if (drift.changes.length === 0) return undefined;
  const { changed, missing } = countDrift(drift.changes);
  const keys = drift.changes.map(keyOf);
  const errors = (drift.problems ?? []).filter(({ severity }) => severity === "error");
  const digest = `sha256:${sha256([...keys.toSorted(), ...errors.map(problemKeyOf).toSorted()])}`;
  const counts = [
    changed > 0 && `${changed} changed`,
    missing > 0 && `${missing} missing`,
    errors.length > 0 && count(errors.length, "problem"),
  ];
  const kept = keys.length > maxKept ? "" : keys.map(shortKey).join(",");
  const title = `The catalog differs from Git: ${counts.filter((each) => each !== false).join(", ")}`;
  const document = documentOf({ drift }, { lineOf: () => undefined, unmanaged: "none" });
  const heads = [
    `<!-- drift ${digest} ${kept} -->`,
    `### ${title}`,
    waysOut(drift, links),
    ...(document.policyTotals === "" ? [] : [document.policyTotals]),
    ...document.notes,
    driftLegend(),
  ];
  const ending = { foot: footOf(plan, { run: links.run }), rest: restText(links) };
  return {
    title,
    text: textWithin(longestComment, heads, partsOf(document), ending),
    digest,
    changedSince: (before) => changedSince(before, drift),
  };
}

/** The comment with which an issue about drift is closed. */
export const noDriftText = "The drift is gone: the catalog is as the manifests declare it.";

/** By what is wrong, without where. */
function problemKeyOf({ code, args }: PlanProblem): string {
  return canonicalJson({ code, args });
}

function driftOf(plan: Plan): Plan {
  return { ...plan, changes: plan.changes.filter((change) => change.class !== "pending"), unmanaged: [] };
}

/** By what a change does, without where it is declared, by which rules, and who wrote what. */
function keyOf(change: Change): string {
  const { source: _, rules: _rules, fingerprint: _print, ...rest } = change;
  const unsaid = { removed: undefined, covers: undefined, above: undefined, reverts: undefined };
  return sha256(canonicalJson({ ...withNamedKeys(rest), ...unsaid, fights: undefined }));
}

function shortKey(key: string): string {
  return key.slice(0, 10);
}

function waysOut(plan: Plan, { workflow }: DriftLinks): string {
  const { changes } = plan;
  const held = hasFights(plan) ? " It does not write what others set back again and again: see below." : "";
  const by = workflow === undefined ? "the workflow" : `[the workflow](${workflow})`;
  const stopped = isStopped(plan) ? " A policy stops it: see below." : "";
  return [
    "There are two ways out:",
    `- **Git wins:** \`datahub-gitops apply\` writes what the manifests declare.${stopped}${conflictText(changes)}${held} Or run ${by} by hand with \`correct\`.`,
    `- **The catalog wins:** \`datahub-gitops pull\` writes the values of the catalog into the manifests.${ruledText(changes)} Or run ${by} by hand with \`pull\`, which opens a pull request.`,
  ].join("\n");
}

/** What apply does not write. Empty where no change is in conflict. */
function conflictText(changes: readonly Change[]): string {
  const hasConflict = changes.some(isInConflict);
  return hasConflict
    ? " It keeps a single value under `merge` that others changed, unless `--force-conflicts` is given; in the workflow that is `conflicts`: `force`."
    : "";
}

/** What pull does not write. Empty where no rule is behind a change. */
function ruledText(changes: readonly Change[]): string {
  const isRuled = changes.some(({ rules }) => rules !== undefined);
  return isRuled ? " It leaves what rules declare: edit the rule, or `exempt` the asset from it." : "";
}

/** Where the rest is that a text leaves out. */
function restText({ run }: DriftLinks): string {
  return run === undefined ? "The report as JSON is complete." : `[The run](${run}) has the whole.`;
}

function changedSince(before: string, { changes, names }: Plan): string {
  const kept = /<!-- drift sha256:[0-9a-f]{64} ([0-9a-f,]+) -->/.exec(before)?.[1]?.split(",");
  const now = `${count(changes.length, "difference")} now`;
  if (!kept) return `The drift has changed: ${now}.`;
  const [known, present] = [new Set(kept), new Set(changes.map((each) => shortKey(keyOf(each))))];
  const added = changes.filter((change) => !known.has(shortKey(keyOf(change))));
  const gone = kept.filter((key) => !present.has(key)).length;
  const line = `The drift has changed: ${added.length} new, ${gone} gone, ${now}.`;
  const section = changesPart("#### New", added, { names, isDrift: true });
  return textWithin(10_000, [line], [section], { rest: "The issue has the whole." });
}
