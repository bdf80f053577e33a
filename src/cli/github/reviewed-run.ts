/**
 * Compares a plan with the plan that was reviewed in the merged pull request, and prints the result, for `github reviewed-plan`.
 */

import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isSameAddress } from "../../datahub/endpoint.ts";
import { type NoPlan, reviewedPlans, type ReviewedText } from "../../github/reviewed-plan.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { canonicalJson } from "../../model/json.ts";
import type { Plan } from "../../model/plan.ts";
import { pendingIn } from "../../model/held-back.ts";
import { reviewedLine, reviewedMarkdown, type Reviewed } from "../../report/github/reviewed.ts";
import { parseSaved } from "../../report/saved/saved-report.ts";
import { writing } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { readSavedPlan } from "../run/saved-file.ts";
import { openGithub, required } from "./environment.ts";

/** A reviewed plan, or the reason why there is none. */
type Found =
  | { readonly pullRequest: number; readonly plan: Plan }
  | { readonly pullRequest?: number; readonly why: string };

/** The options that identify the saved plans. */
export interface ReviewedOptions {
  /** The name of the artifact that contains the reviewed plan. */
  readonly artifact: string;
  /** The file name of the workflow that plans pull requests. */
  readonly workflow: string;
}

/**
 * Compares a saved plan with the reviewed plan. Prints the result to stdout, and writes it to the summary and outputs of the
 * workflow step.
 */
export async function compareWithReviewed(
  file: string,
  { artifact, workflow }: ReviewedOptions,
  io: Io,
): Promise<ExitCode> {
  const client = await openGithub(io);
  const commit = required("GITHUB_SHA", io);
  const branch = required("GITHUB_REF_NAME", io);
  const plan = await readSavedPlan(file, io);
  const texts = await reviewedPlans(client, { commit, branch, artifact, workflow });
  const found: readonly Found[] = texts.map((each) => foundIn(each, plan, workflow));
  const result = resultOf(plan, found, commit);
  const { line, markdown } = textsOf(result);
  io.stdout.write(`${line}\n`);
  const summary = io.env["GITHUB_STEP_SUMMARY"] ?? "";
  if (summary !== "") await append(summary, `${markdown.trimEnd()}\n`, io);
  else if (markdown.trim() !== line) io.stdout.write(`\n${markdown}`);
  const output = io.env["GITHUB_OUTPUT"] ?? "";
  if (output !== "") await append(output, outputsOf(plan, found, result), io);
  return exitCodes.done;
}

const reasonTexts: Readonly<Record<NoPlan, (workflow: string) => string>> = {
  none: () => "none of its runs saved a plan",
  expired: () => "the plan saved by its run has expired",
  fork: () => "it comes from a fork, and runs from forks are not trusted",
  "other-run": (workflow) => `no run of ${workflow} for a pull request to the same base branch saved a plan`,
  "same-commits": () =>
    "another pull request has the same commits, so it is unclear which one saved the plan",
  unreadable: () => "the plan saved by its run cannot be unpacked",
};

function foundIn({ pullRequest, found }: ReviewedText, { target }: Plan, workflow: string): Found {
  if ("why" in found) return { pullRequest, why: reasonTexts[found.why](workflow) };
  const saved = parseSaved(found.text);
  if ("fault" in saved || !("plan" in saved)) {
    const isEdited = "fault" in saved && saved.fault === "edited";
    return { pullRequest, why: `the plan saved by its run ${isEdited ? "was edited" : "is not valid"}` };
  }
  if (!isSameAddress(saved.plan.target, target))
    return { pullRequest, why: `its plan was made for ${saved.plan.target}, but this plan is for ${target}` };
  return { pullRequest, plan: saved.plan };
}

type Result = Reviewed | { readonly why: string };

function resultOf(plan: Plan, found: readonly Found[], commit: string): Result {
  const reviewed = found.flatMap((each) => ("plan" in each ? [each] : []));
  if (reviewed.length === 0) {
    const [first] = found;
    if (!first || !("why" in first)) return { why: `no pull request merged ${commit}` };
    return { why: `#${first.pullRequest}: ${first.why}` };
  }
  return {
    pullRequests: reviewed.map(({ pullRequest }) => pullRequest),
    of: plan.changes.length,
    ...compare(
      plan.changes,
      reviewed.flatMap((each) => each.plan.changes),
    ),
    names: Object.assign({}, ...reviewed.map((each) => each.plan.names), plan.names) as Plan["names"] & {},
  };
}

/** Returns the changes that were not reviewed, and the reviewed changes that the plan lacks. Ignores source lines. */
function compare(changes: readonly Change[], reviewed: readonly Change[]): Pick<Reviewed, "added" | "gone"> {
  const [now, before] = [changes, reviewed].map((each) => new Set(each.map(keyOf)));
  return {
    added: changes.filter((change) => !before?.has(keyOf(change))),
    gone: reviewed.filter((change) => !now?.has(keyOf(change))),
  };
}

// The key omits `removed`, `reverts` and the details of fights. These depend on the base, which may have been different in the
// pull request.
function keyOf({ source: _, class: _class, ...change }: Change): string {
  const fights = isFacetChange(change) ? change.fights?.map(({ value }) => value) : undefined;
  return canonicalJson({ ...change, removed: undefined, reverts: undefined, fights });
}

function textsOf(result: Result): { readonly line: string; readonly markdown: string } {
  if (!("why" in result)) return { line: reviewedLine(result), markdown: reviewedMarkdown(result) };
  const line = `No reviewed plan: ${result.why}.`;
  return { line, markdown: line };
}

function outputsOf({ changes }: Plan, found: readonly Found[], result: Result): string {
  const isReviewed = !("why" in result) && result.added.length + result.gone.length === 0;
  const numbers = found.flatMap(({ pullRequest }) => pullRequest ?? []);
  return [
    `reviewed=${isReviewed}`,
    `changes=${pendingIn(changes).length > 0}`,
    `pull-request=${numbers.at(-1) ?? ""}`,
    "",
  ].join("\n");
}

function append(file: string, text: string, { cwd }: Io): Promise<void> {
  return writing(file, () => appendFile(resolve(cwd, file), text));
}
