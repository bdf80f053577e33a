import type { Report } from "../../model/report.ts";
import type { LeftBehind } from "../../model/plan.ts";
import { count } from "../../report/count.ts";
import { printable } from "../../report/printable.ts";
import { type AppliedScope, recordApplied, type Recorded } from "../../scope/record-applied.ts";
import type { Io } from "../io.ts";
import { note } from "../output/say.ts";

/** Moves the ref of the last applied commit after an apply that came to its end, and says so on stderr. */
export async function noteApplied(
  scope: AppliedScope,
  report: Report,
  { quiet }: { readonly quiet?: boolean },
  io: Io,
): Promise<void> {
  const recorded = await recordApplied(scope, report);
  if (recorded?.status === "refused") {
    const { ref, to, words } = recorded;
    note(`warning: cannot move ${ref} to ${to.slice(0, 12)}: ${words}`, io);
  }
  if (!recorded || quiet === true) return;
  for (const line of linesOf(recorded)) note(line, io);
}

type Kept = Extract<Recorded, { readonly status: "kept" }>;

const reasons: Readonly<Record<Exclude<Kept["because"], "not-forward" | "left-behind">, string>> = {
  failed: "not all was applied",
  part: "only a part of the catalog was applied",
  conflict: "a conflict holds a change back",
  "no-commit": "the repository has no commit",
  "other-commit": "the commit of the plan is not checked out",
  dirty: "the manifests differ from the last commit",
  unknown: "git could not tell whether the manifests differ from the last commit",
};

function linesOf(recorded: Recorded): readonly string[] {
  const { ref, status } = recorded;
  if (status === "kept") return [`${ref} was not moved: ${reasonOf(recorded)}`];
  return status === "moved" ? [`${ref} now points to ${recorded.to.slice(0, 12)}`] : [];
}

function reasonOf(kept: Kept): string {
  if (kept.because === "not-forward") {
    return `it points to ${kept.from.slice(0, 12)}, which is not an ancestor of the commit that was applied`;
  }
  return kept.because === "left-behind" ? leftText(kept.left) : reasons[kept.because];
}

const mostNamed = 10;

function leftText({ entities, values }: LeftBehind): string {
  const more = entities.length > mostNamed ? `, and ${entities.length - mostNamed} more` : "";
  const named = `${entities.slice(0, mostNamed).map(printable).join(", ")}${more}`;
  const what = [
    ...(entities.length > 0 ? [`${count(entities.length, "entity", "entities")} (${named})`] : []),
    ...(values > 0 ? [count(values, "value")] : []),
  ].join(" and ");
  return `${what} in the catalog ${entities.length + values === 1 ? "is" : "are"} no longer declared; remove with --prune, declare again, or add an ignore rule`;
}
