/** Records the last applied commit after an apply, and prints the result or the reason why the commit was not recorded. */

import { resolve } from "node:path";
import { columnOf } from "../../facets/places.ts";
import { withoutCommit } from "../../git/state.ts";
import type { Report } from "../../model/report.ts";
import type { DormantValue, Leftovers } from "../../model/plan-scope.ts";
import { count } from "../../report/count.ts";
import { printable } from "../../report/printable.ts";
import { type AppliedScope, recordApplied, type Recorded } from "../../workflow/scope/record-applied.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { gitFaultText } from "./kept-runs.ts";

/** Moves the base to the applied commit after a complete apply, and prints a note. */
export async function noteApplied(
  scope: AppliedScope,
  report: Report,
  { quiet, moveBase }: { readonly quiet?: boolean; readonly moveBase?: boolean },
  io: Io,
): Promise<void> {
  const recorded = await recordApplied(scope, report, { anywhere: moveBase === true });
  if (recorded?.status === "refused") {
    const { ref, to, words } = recorded;
    note(`warning: cannot move ${ref} to ${to.slice(0, 12)}: ${words}`, io);
  }
  if (!recorded || quiet === true) return;
  const { conflicts } = report.plan.summary;
  const facts = { from: scope.baseRef?.commit, conflicts, noCommit: await commitText(scope, recorded) };
  for (const line of linesOf(recorded, facts)) note(line, io);
}

/** Prints a note that an interrupted apply should be repeated, and that the base did not move. */
export function noteInterrupted(
  scope: AppliedScope | undefined,
  { quiet }: { readonly quiet?: boolean },
  io: Io,
): void {
  if (quiet === true) return;
  const ref = scope?.baseRef?.name;
  note(`Interrupted: run apply again${ref === undefined ? "" : `; the base (${ref}) did not move`}.`, io);
}

/**
 * If the base did not move because there is no commit, returns the reason why there is none. Otherwise, returns an empty string.
 */
async function commitText({ repository }: AppliedScope, recorded: Recorded): Promise<string> {
  if (recorded.status !== "kept" || recorded.because !== "no-commit") return "";
  return gitFaultText(await withoutCommit(resolve(repository.cwd, repository.directory)));
}

type Kept = Extract<Recorded, { readonly status: "kept" }>;

const reasons: Readonly<
  Record<Exclude<Kept["because"], "no-commit" | "conflict" | "not-forward" | "left-behind">, string>
> = {
  failed: "not all changes were applied",
  part: "only part of the catalog was applied",
  "other-commit": "the commit of the plan is not checked out",
  dirty: "files in the catalog directory differ from the checked-out commit",
  unknown: "git could not compare the manifests with the last commit",
};

/** The facts for messages about the base. */
interface Facts {
  /** The commit of the base before the apply. */
  readonly from: string | null | undefined;
  readonly conflicts: number;
  /** The reason why there is no commit, or an empty string. */
  readonly noCommit: string;
}

function linesOf(recorded: Recorded, facts: Facts): readonly string[] {
  const { ref, status } = recorded;
  if (status === "moved") return [`The base (${ref}) is now ${recorded.to.slice(0, 12)}`];
  if (status !== "kept") return [];
  const stays = facts.from ? `stays at ${facts.from.slice(0, 12)}` : "is not set";
  return reasonsOf(recorded, facts).map((reason) => `The base (${ref}) ${stays}, because ${reason}`);
}

function reasonsOf(kept: Kept, { conflicts, noCommit }: Facts): readonly string[] {
  if (kept.because === "no-commit") return [noCommit];
  if (kept.because === "conflict")
    return [`${count(conflicts, "conflict")} ${conflicts === 1 ? "is" : "are"} unresolved`];
  if (kept.because === "not-forward") {
    const why = "it is not an ancestor of the applied commit";
    const hint = "; if history was rewritten or squashed, move it with: datahub-gitops apply --move-base";
    return [`${why}${kept.isOlder ? "" : hint}`];
  }
  if (kept.because !== "left-behind") return [reasons[kept.because]];
  const { entities, values, away: dormant = [] } = kept.left;
  return [
    ...(entities.length + values > 0 ? [leftText(kept.left)] : []),
    ...(dormant.length > 0 ? [dormantText(dormant)] : []),
  ];
}

const maxNamed = 10;

function named(texts: readonly string[]): string {
  const more = texts.length > maxNamed ? `, and ${texts.length - maxNamed} more` : "";
  return `${texts.slice(0, maxNamed).map(printable).join(", ")}${more}`;
}

function leftText({ entities, values }: Leftovers): string {
  const limit = entities.length > 0 ? ` --max-deletes ${entities.length}` : "";
  const what = [
    ...(entities.length > 0 ? [`${count(entities.length, "entity", "entities")} (${named(entities)})`] : []),
    ...(values > 0 ? [count(values, "value")] : []),
  ].join(" and ");
  const [are, them] = entities.length + values === 1 ? ["is", "it"] : ["are", "them"];
  return `${what} in the catalog ${are} no longer declared; remove ${them} with --prune${limit}, declare ${them} again, or add an ignore rule`;
}

function dormantText(dormant: readonly DormantValue[]): string {
  const places = dormant.map((each) => {
    const column = columnOf(each);
    return column === undefined ? each.urn : `column ${column} of ${each.urn}`;
  });
  const isUnread = dormant.some(({ value }) => value === undefined);
  const distinct = [...new Set(places)];
  const [has, isBack, them] =
    distinct.length === 1 ? ["has", "it is restored", "it"] : ["have", "they are restored", "them"];
  const doHave = isUnread ? `${has} or may have` : has;
  return `${named(distinct)} ${doHave} values that are no longer declared and would reappear when ${isBack}. Apply again at that time, delete ${them} permanently, or add an ignore rule`;
}
