/** Writes the GitHub issue about drift, and comments about later changes. */

import { withNamedKeys } from "../../facets/places.ts";
import type { Change } from "../../model/change.ts";
import { canonicalJson } from "../../model/json.ts";
import type { Plan } from "../../model/plan.ts";
import { isError, type PlanProblem } from "../../model/problem.ts";
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
  const changes = plan.changes.filter((change) => change.class !== "pending");
  if (changes.length === 0) return undefined;
  const drift = { ...plan, changes };
  const { changed, missing } = countDrift(changes);
  const keys = changes.map(keyOf);
  const errors = (plan.problems ?? []).filter(isError);
  const digest = `sha256:${sha256([...keys.toSorted(), ...errors.map(problemKeyOf).toSorted()])}`;
  const counts = [
    changed > 0 && `${changed} changed`,
    missing > 0 && `${missing} missing`,
    errors.length > 0 && count(errors.length, "problem"),
  ];
  const shortKeys = keys.map((key) => key.slice(0, 10));
  const kept = keys.length > maxKeptKeys ? "" : shortKeys.join(",");
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
    changedSince: (before) => changedSince(before, drift, shortKeys),
  };
}

/** The comment that is posted when an issue about drift is closed. */
export const noDriftText = "The drift is resolved: the catalog matches the manifests.";

/** Returns a key that identifies a problem regardless of its location. */
function problemKeyOf({ code, args }: PlanProblem): string {
  return canonicalJson({ code, args });
}

/** Returns a key that identifies a change by its effect, regardless of its location, its rules, and the writers of its values. */
function keyOf(change: Change): string {
  const { source: _, rules: _rules, fingerprint: _print, ...rest } = change;
  const ignored = { removed: undefined, covers: undefined, above: undefined, reverts: undefined };
  return sha256(canonicalJson({ ...withNamedKeys(rest), ...ignored, fights: undefined }));
}

function optionsText(plan: Plan, { workflow }: DriftLinks): string {
  const by = workflow === undefined ? "the workflow" : `[the workflow](${workflow})`;
  const stopped = isStopped(plan) ? " A policy blocks it: see below." : "";
  const conflicting = plan.changes.some(isInConflict)
    ? " Under `merge`, it does not overwrite single-valued fields that someone else changed, unless you use `--force-conflicts` (in the workflow, `conflicts`: `force`)."
    : "";
  const reverted = hasFights(plan)
    ? " It does not write values that someone keeps reverting: see below."
    : "";
  const ruled = plan.changes.some(({ rules }) => rules !== undefined)
    ? " It does not change values that rules declare: edit the rule, or `exempt` the asset from it."
    : "";
  return [
    "There are two options:",
    `- **Git wins:** \`datahub-gitops apply\` writes the declared values.${stopped}${conflicting}${reverted} Or run ${by} manually with \`correct\`.`,
    `- **The catalog wins:** \`datahub-gitops pull\` writes the catalog's values into the manifests.${ruled} Or run ${by} manually with \`pull\`, which opens a pull request.`,
  ].join("\n");
}

/** States where to find the rows that do not fit in the issue. */
function restText({ run }: DriftLinks): string {
  return run === undefined
    ? "The full report is available as JSON."
    : `[The run](${run}) has the full report.`;
}

/** Describes the changes since an earlier version of the issue's text. `keys` contains the short key of each change. */
function changedSince(before: string, { changes, names }: Plan, keys: readonly string[]): string {
  const kept = /<!-- drift sha256:[0-9a-f]{64} ([0-9a-f,]+) -->/.exec(before)?.[1]?.split(",");
  const now = `${count(changes.length, "difference")} now`;
  if (!kept) return `The drift has changed: ${now}.`;
  const [known, present] = [new Set(kept), new Set(keys)];
  const added = changes.filter((_, index) => !known.has(keys[index] ?? ""));
  const resolved = kept.filter((key) => !present.has(key)).length;
  const line = `The drift has changed: ${added.length} new, ${resolved} resolved, ${now}.`;
  const section = changesPart("New", added, { names, isDrift: true });
  return fitSections(10_000, [line], [section], { rest: "The issue shows all changes." });
}
