/** Detects fights, in which the tool and another writer repeatedly revert each other's changes, and holds back the values. */

import { type Change, type FacetChange, type Fight, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { canonicalJson } from "../../model/json.ts";
import type { PlannedChanges, Finding } from "../../model/plan.ts";
import { placeKey } from "../../model/place.ts";
import type { Mode } from "../../model/settings.ts";
import type { Report } from "../../model/report.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isInConflict } from "../../model/conflicts.ts";
import { completeMoves } from "./moves.ts";
import type { Note, NotesContext } from "./note.ts";
import { writtenBy } from "../base/written.ts";
import { placeOf, isOfRollback } from "../base/changes.ts";
import type { FightRules, PastWrite, WrittenValue } from "../base/policy.ts";
import { valueKey } from "../../model/values.ts";

/** The guard name in findings about fights. */
export const fightGuard = "fight";

/**
 * The maximum age of the writes that count, as a multiple of `within`. The four periods cover the time in which values are held
 * back, the preceding reversals, the pause before them, and the write before the pause.
 */
export const maxSpans = 4;

/**
 * Returns the writes of an apply, according to its report. Omits rollbacks, and writes to entities that the apply created or
 * deleted.
 */
export function writesIn(report: Report, at: number): readonly PastWrite[] {
  const { base } = report.plan.git;
  const steps = writtenBy(report).changed.filter(canBeFought).flatMap(stepsOf);
  return steps.map(({ key, declared, reverts }) => ({ key, declared, at, base, reverts }));
}

/** One value that a change writes. */
interface Step extends WrittenValue {
  readonly value: Member | Scalar;
}

function stepsOf(change: FacetChange): readonly Step[] {
  const place = `${change.urn} ${placeKey(change)}`;
  const reverted = new Set(change.reverts?.map(valueKey));
  const stepOf = (value: Member | Scalar, key: string, declared: string): Step => {
    return { value, key, declared, reverts: reverted.has(valueKey(value)) };
  };
  if (!isSetChange(change)) return [stepOf(change.after, place, canonicalJson(change.after))];
  return (["add", "remove"] as const).flatMap((side) =>
    change[side].map((value) => stepOf(value, `${place} ${valueKey(value)}`, side)),
  );
}

function canBeFought(change: Change): change is FacetChange {
  return isFacetChange(change) && change.action === "update" && !change.isReference && !isOfRollback(change);
}

/**
 * Holds a value back if and only if it was written `times` times within `within`, the last write is less than `within` old, and
 * the value's declaration did not change in between. The first write after a commit that changed the declaration does not count.
 * A declaration counts as changed if it differs from the value that was declared at the previous write or in the last applied
 * commit. Two commits that revert each other and were applied together are not detected.
 */
export const fights: Note = {
  name: "fights",
  of: (change, { mode, plan: { policy, pastWrites } }) => {
    const found = policy.fights ? fightsIn(change, policy.fights, pastWrites, mode) : [];
    return found.length > 0 ? { fights: found } : undefined;
  },
};

/** Groups the writes of earlier apply runs by place and element. */
export function pastWritesIn(rules: FightRules | undefined): NotesContext["pastWrites"] {
  return groupBy(rules?.writes ?? [], ({ key }) => key);
}

/** Returns the fights about the values of a change. */
export function fightsIn(
  change: Change,
  rules: FightRules,
  past: NotesContext["pastWrites"],
  mode?: Mode,
): readonly Fight[] {
  if (past.size === 0 || !canBeFought(change) || isInConflict(change)) return [];
  return stepsOf(change).flatMap((step) => {
    const fight = fightOf(past.get(step.key) ?? [], { ...step, at: rules.now, base: rules.base }, rules);
    const isKept = mode === "authoritative" && isOthers(change, step.value);
    return fight ? [{ ...fight, value: step.value, ...(isKept && { keptByMerge: true as const }) }] : [];
  });
}

/** Whether someone else set the value that a change removes or replaces. */
function isOthers(change: FacetChange, value: Member | Scalar): boolean {
  if (!isSetChange(change)) return change.before !== null;
  return change.remove.some((each) => valueKey(each) === valueKey(value));
}

function fightOf(
  writes: readonly PastWrite[],
  next: PastWrite,
  { times, within, now }: FightRules,
): Omit<Fight, "value"> | undefined {
  const counted = reversalsBefore(next, writes);
  const last = counted.at(-1);
  const first = counted.at(-times);
  if (!last || !first || now - last.at >= within || last.at - first.at > within) return undefined;
  const recent = counted.filter(({ at }) => last.at - at <= within);
  return { times: recent.length, last: timeText(last.at), until: timeText(last.at + within) };
}

/** Returns the earlier writes that restored the value in `next` after the commit that declared this value. */
function reversalsBefore(next: PastWrite, writes: readonly PastWrite[]): readonly PastWrite[] {
  const isSame = (index: number): boolean => {
    const [before, after] = [writes[index], writes[index + 1] ?? next];
    if (before?.declared !== after.declared) return false;
    return after.reverts || after.base === before.base;
  };
  let start = writes.length;
  while (start > 0 && isSame(start - 1)) start -= 1;
  const since = writes.slice(start);
  const [first] = since;
  // If a commit that declares the value was applied after the previous write, the first write restored a value that had already
  // been in the catalog.
  const isReversal = first?.reverts === true && writes[start - 1]?.base !== first.base;
  return isReversal ? since : since.slice(1);
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns one finding for each opponent in fights. */
export function fightFindings(changes: readonly Change[]): readonly Finding[] {
  const fought = changes
    .filter(isFacetChange)
    .flatMap((change) => (change.fights ?? []).map((fight) => ({ change, fight })));
  const byOpponent = groupBy(fought, ({ fight }) => canonicalJson({ ...opponentOf(fight) }));
  return [...byOpponent.values()].map((group) => {
    const [first] = group;
    const opponent = first && opponentOf(first.fight);
    const kept = group.filter(({ fight }) => fight.keptByMerge).length;
    return {
      guard: fightGuard,
      severity: "warning",
      numbers: {
        values: group.length,
        times: group.reduce((least, { fight }) => Math.min(least, fight.times), Infinity),
        ...(kept > 0 && { keptByMerge: kept }),
      },
      flag: "",
      setting: "fights",
      ...(opponent && Object.keys(opponent).length > 0 && { opponent }),
      changes: [...new Set(group.map(({ change }) => change))].map(placeOf),
    };
  });
}

function opponentOf({ actor, agent, ingestionRun, pipeline }: Fight): NonNullable<Finding["opponent"]> {
  return {
    ...(actor !== undefined && { actor }),
    ...(agent !== undefined && { agent }),
    ...(ingestionRun !== undefined && { ingestionRun }),
    ...(pipeline !== undefined && { pipeline }),
  };
}

/** Whether a finding is about a fight. */
export function isOfFight({ guard }: { readonly guard: string }): boolean {
  return guard === fightGuard;
}

/**
 * Returns a plan's changes. The values that the plan already holds back stay held back, and the current rules can hold back
 * additional values.
 */
export function withMoreFights({ changes }: PlannedChanges, rules: FightRules): readonly Change[] {
  const past = pastWritesIn(rules);
  const noted = changes.map((change) => {
    const before = isFacetChange(change) ? (change.fights ?? []) : [];
    const known = new Set(before.map(({ value }) => valueKey(value)));
    const more = fightsIn(change, rules, past).filter(({ value }) => !known.has(valueKey(value)));
    return more.length > 0 ? { ...change, fights: [...before, ...more] } : change;
  });
  return completeMoves(noted);
}
