/** Writes the GitHub issue about drift, and comments about later changes. */

import { withNamedKeys } from "../../facets/places.ts";
import type { Change } from "../../model/change.ts";
import { canonicalJson } from "../../model/json.ts";
import type { Plan } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import { isInConflict } from "../../model/conflicts.ts";
import { hasFights } from "../../model/held-back.ts";
import { sha256 } from "../../plan/base/hash.ts";
import { isStopped } from "../../plan/policies/findings.ts";
import { count } from "../count.ts";
import { documentOf } from "../document/document-of.ts";
import { countDrift, driftLegend } from "../document/notes.ts";
import { footOf } from "../markdown/markdown.ts";
import { changesPart } from "../markdown/changes.ts";
import { partsOf } from "../markdown/parts.ts";
import { maxCommentLength, fitSections } from "../markdown/sections.ts";

/** The links in an issue. */
export interface DriftLinks {
  /** The URL of the workflow run that found the drift. */
  readonly run?: string | undefined;
  /** The URL of the page on which users can start the workflow manually. */
  readonly workflow?: string | undefined;
}

/** An issue about drift. */
export interface DriftIssueText {
  readonly title: string;
  readonly text: string;
  /** A hash that identifies the drift. The text contains the hash in a hidden comment. */
  readonly digest: string;
  /** Returns a comment about the changes since an earlier version of the issue's text. */
  changedSince(before: string): string;
}

/** The maximum number of changes whose keys an issue stores. Without keys, comments on the issue cannot list new changes. */
const maxKeptKeys = 1000;

/** Writes the issue about drift. Returns `undefined` if there is no drift. Pending changes are not drift. */
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
  const kept = keys.length > maxKeptKeys ? "" : keys.map(shortKey).join(",");
  const title = `The catalog differs from Git: ${counts.filter((each) => each !== false).join(", ")}`;
  const document = documentOf({ drift }, { lineOf: () => undefined, unmanaged: "none" });
  const heads = [
    `<!-- drift ${digest} ${kept} -->`,
    `### ${title}`,
    optionsText(drift, links),
    ...(document.policyTotals === "" ? [] : [document.policyTotals]),
    driftLegend(),
  ];
  const ending = { foot: footOf(plan, { run: links.run }), rest: restText(links) };
  return {
    title,
    text: fitSections(maxCommentLength, heads, partsOf(document), ending),
    digest,
    changedSince: (before) => changedSince(before, drift),
  };
}

/** The comment that is posted when an issue about drift is closed. */
export const noDriftText = "The drift is resolved: the catalog matches the manifests.";

/** Returns a key that identifies a problem regardless of its location. */
function problemKeyOf({ code, args }: PlanProblem): string {
  return canonicalJson({ code, args });
}

function driftOf(plan: Plan): Plan {
  return { ...plan, changes: plan.changes.filter((change) => change.class !== "pending"), unmanaged: [] };
}

/** Returns a key that identifies a change by its effect, regardless of its location, its rules, and the writers of its values. */
function keyOf(change: Change): string {
  const { source: _, rules: _rules, fingerprint: _print, ...rest } = change;
  const ignored = { removed: undefined, covers: undefined, above: undefined, reverts: undefined };
  return sha256(canonicalJson({ ...withNamedKeys(rest), ...ignored, fights: undefined }));
}

function shortKey(key: string): string {
  return key.slice(0, 10);
}

function optionsText(plan: Plan, { workflow }: DriftLinks): string {
  const { changes } = plan;
  const revertedText = hasFights(plan)
    ? " It does not write values that someone keeps reverting: see below."
    : "";
  const by = workflow === undefined ? "the workflow" : `[the workflow](${workflow})`;
  const stopped = isStopped(plan) ? " A policy blocks it: see below." : "";
  return [
    "There are two options:",
    `- **Git wins:** \`datahub-gitops apply\` writes the declared values.${stopped}${conflictText(changes)}${revertedText} Or run ${by} manually with \`correct\`.`,
    `- **The catalog wins:** \`datahub-gitops pull\` writes the catalog's values into the manifests.${ruledText(changes)} Or run ${by} manually with \`pull\`, which opens a pull request.`,
  ].join("\n");
}

/** Explains that `apply` does not overwrite conflicting values. Returns an empty string if there are no conflicts. */
function conflictText(changes: readonly Change[]): string {
  const hasConflict = changes.some(isInConflict);
  return hasConflict
    ? " Under `merge`, it does not overwrite single-valued fields that someone else changed, unless you use `--force-conflicts` (in the workflow, `conflicts`: `force`)."
    : "";
}

/** Explains that `pull` does not change values that rules declare. Returns an empty string if there are no such values. */
function ruledText(changes: readonly Change[]): string {
  const isRuled = changes.some(({ rules }) => rules !== undefined);
  return isRuled
    ? " It does not change values that rules declare: edit the rule, or `exempt` the asset from it."
    : "";
}

/** States where to find the rows that do not fit in the issue. */
function restText({ run }: DriftLinks): string {
  return run === undefined
    ? "The full report is available as JSON."
    : `[The run](${run}) has the full report.`;
}

function changedSince(before: string, { changes, names }: Plan): string {
  const kept = /<!-- drift sha256:[0-9a-f]{64} ([0-9a-f,]+) -->/.exec(before)?.[1]?.split(",");
  const now = `${count(changes.length, "difference")} now`;
  if (!kept) return `The drift has changed: ${now}.`;
  const [known, present] = [new Set(kept), new Set(changes.map((each) => shortKey(keyOf(each))))];
  const added = changes.filter((change) => !known.has(shortKey(keyOf(change))));
  const resolved = kept.filter((key) => !present.has(key)).length;
  const line = `The drift has changed: ${added.length} new, ${resolved} resolved, ${now}.`;
  const section = changesPart("New", added, { names, isDrift: true });
  return fitSections(10_000, [line], [section], { rest: "The issue shows all changes." });
}
