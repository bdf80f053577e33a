import { isDefinitionKind } from "../../kinds/index.ts";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { type AppliedScope, recordApplied, type Recorded } from "../../scope/record-applied.ts";
import type { Io } from "../io.ts";

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
    io.stderr.write(`warning: cannot move ${ref} to ${to.slice(0, 12)}: ${words}\n`);
  }
  if (!recorded || quiet === true) return;
  for (const line of linesOf(recorded, report.plan)) io.stderr.write(`${line}\n`);
}

type Kept = Extract<Recorded, { readonly status: "kept" }>;

const reasons: Readonly<Record<Exclude<Kept["because"], "not-forward">, string>> = {
  failed: "not all was applied",
  part: "only a part of the catalog was applied",
  conflict: "a conflict holds a change back",
  "no-commit": "the repository has no commit",
  "other-commit": "the commit of the plan is not checked out",
  dirty: "the manifests differ from the last commit",
};

function linesOf(recorded: Recorded, plan: Plan): readonly string[] {
  const { ref, status } = recorded;
  if (status === "kept") return [`${ref} was not moved: ${reasonOf(recorded)}`];
  if (status !== "moved") return [];
  const { from, to } = recorded;
  const moved = `${ref} now points to ${to.slice(0, 12)}`;
  if (from === null || !leavesSomething(plan)) return [moved];
  const left = `definitions that are no longer declared were not deleted; to delete them later, use --prune --base ${from.slice(0, 12)}`;
  return [moved, left];
}

function reasonOf(kept: Kept): string {
  if (kept.because !== "not-forward") return reasons[kept.because];
  return `it points to ${kept.from.slice(0, 12)}, which is not an ancestor of the commit that was applied`;
}

function leavesSomething({ unmanaged }: Plan): boolean {
  return unmanaged.some(({ reason, kind }) => reason === "no-longer-declared" && isDefinitionKind(kind));
}
