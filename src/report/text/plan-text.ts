import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import type { Names, Plan, Summary } from "../../model/plan.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { refusingProblems } from "../../plan/plan.ts";
import { canBePruned } from "../../plan/sides/pruned.ts";
import { changeText, placeIn, sourcePlace } from "./change-text.ts";
import { called } from "../called.ts";
import { asDrift } from "../drift.ts";
import { entriesOf, type Entry, namesOf, sharersText, standingFor } from "../fold.ts";
import { gathered, wholeOf } from "../pieces.ts";
import { printable } from "../printable.ts";
import { ruleText } from "../rule-text.ts";
import { serverLine } from "../server-text.ts";
import { findingText } from "./finding-text.ts";
import { settingsText } from "./settings-text.ts";
import { shardLine } from "./shard-text.ts";
import { unmanagedText, type UnmanagedView } from "./unmanaged-text.ts";
import { count } from "../count.ts";
import type { Paint } from "../paint.ts";

const marks = { create: "+", update: "~", delete: "-" } as const;
const driftMarks = { create: "-", update: "~", delete: "+" } as const;
const styles = { "+": "add", "~": "change", "-": "remove" } as const;

/** How a plan is shown. */
export interface PlanView {
  /** Whether a problem refuses the whole plan. For an upsert it does not; the rest is written. */
  readonly isWhole?: boolean | undefined;
  readonly unmanaged?: UnmanagedView | undefined;
  /** Whether changes that many entities share are shown for each of them. */
  readonly all?: boolean | undefined;
  /**
   * Whether it counts the removed values that mode `merge` would keep: where it is still to be applied, and modes hold. As
   * `isWhole` unless it is said.
   */
  readonly countsKept?: boolean | undefined;
}

/** A plan as text: the server, changes by entity with what weighs most first, values that are not managed, findings, and the fixed last line. Ends in a line break. */
export function planText(plan: Plan, paint: Paint, view: PlanView = {}): string {
  return wholeOf(planTexts(plan, paint, view));
}

/** `planText` in pieces. */
export function* planTexts(plan: Plan, paint: Paint, view: PlanView = {}): Iterable<string> {
  yield* gathered(planParts(plan, paint, view));
}

function* planParts(
  plan: Plan,
  paint: Paint,
  { isWhole = true, unmanaged = "counts", countsKept = isWhole, all }: PlanView,
): Iterable<string> {
  yield `${serverLine(plan)}\n\n`;
  const shard = shardLine(plan);
  if (shard !== "") yield `${shard}\n\n`;
  const settings = settingsText(plan, paint);
  if (settings !== "") yield `${settings}\n`;
  for (const entry of entriesOf(plan.changes, all))
    yield `${entryText(entry, paint, { names: plan.names, all })}\n`;
  yield rulesText(plan);
  const others = unmanagedText(plan, paint, unmanaged);
  if (others !== "") yield `${others}\n`;
  if (countsKept) yield removalLine(plan) + pruneLine(plan) + (unmanaged === "none" ? "" : valuesLine(plan));
  for (const finding of plan.findings) yield findingText(finding, paint);
  yield `${lastLine(plan, isWhole)}\n`;
}

/** One line about each rule that matches something of what is planned, and a blank one. Empty where there are none. */
function rulesText({ rules = [], names }: Plan): string {
  const matching = rules.filter(({ matchedInPart }) => matchedInPart > 0);
  const lines = matching.map((each) => {
    const { rule, does } = ruleText(each, names);
    return `${printable(`${rule}: ${does}`)}\n`;
  });
  return lines.length === 0 ? "" : `${lines.join("")}\n`;
}

/** The fixed last line of a plan. `isWhole` as in `PlanView`. */
export function lastLine(plan: Plan, isWhole: boolean): string {
  const refusing = isWhole ? refusingProblems(plan).length : 0;
  return refusing > 0 ? `Refused: ${count(refusing, "problem")}.` : summaryLine(plan.summary);
}

/** The counts of a plan as one line. */
export function summaryLine(summary: Summary): string {
  const { create, update, additions, replacements, removals, unchanged, heldBack } = summary;
  if (create + update + summary.delete + heldBack === 0)
    return `No changes. ${count(unchanged, "entity", "entities")} in sync.`;
  const entities = `${create} to create, ${update} to update, ${summary.delete} to delete`;
  const values = `${count(additions, "value")} added, ${replacements} replaced, ${removals} removed`;
  const held = heldBack > 0 ? `; ${heldBack} held back` : "";
  return `Plan: ${entities}; ${values}${held}.`;
}

/** How entries are shown: as `apply` would change the catalog, or with `isDrift` as the catalog differs. */
interface EntryView extends Pick<PlanView, "all"> {
  readonly names?: Names | undefined;
  readonly isDrift?: boolean;
}

/** Changes as text, one block an entity, or one for all that share a value. Each ends in a line break. */
export function entryTexts(changes: readonly Change[], paint: Paint, view: EntryView): readonly string[] {
  return entriesOf(changes, view.all).map((entry) => entryText(entry, paint, view));
}

function entryText(entry: Entry, paint: Paint, view: EntryView): string {
  const { names } = view;
  if ("changes" in entry) return entityText(entry.changes, paint, view);
  const hint = paint("dim", "(--all lists them)");
  const head = `${paint("change", marks.update)} ${sharersText(entry.shared, names)}  ${hint}\n`;
  const values = entry.shared.map((each) => {
    const { change, columns, source } = standingFor(each);
    const name = [placeIn(change), columns].filter((part) => part !== "").join(" ");
    return changeText(seenIn(view, change), paint, names, { name, source });
  });
  return head + values.join("");
}

function seenIn({ isDrift = false }: EntryView, change: FacetChange): FacetChange {
  return isDrift ? asDrift(change) : change;
}

function entityText(changes: readonly Change[], paint: Paint, view: EntryView): string {
  const { names, isDrift = false } = view;
  const [{ action, kind, urn } = {}] = changes;
  if (action === undefined || kind === undefined || urn === undefined) return "";
  const mark = (isDrift ? driftMarks : marks)[action];
  const head = `${paint(styles[mark], mark)} ${paint("bold", kind)} ${printable(called(urn, names))}${action === "delete" ? deletionPlace(changes[0], paint) : ""}\n`;
  return (
    head +
    (isDrift ? [] : changes).map((change) => fallText(change, view)).join("") +
    changes
      .filter(isFacetChange)
      .map((change) => changeText(seenIn(view, change), paint, names))
      .join("")
  );
}

/** The place in the base that declares a deleted entity. Empty if unknown. */
export function deletionPlace(change: Change | undefined, paint: Paint): string {
  return change?.source ? `  ${paint("dim", sourcePlace(change.source))}` : "";
}

function fallText(change: Change, view: EntryView): string {
  const [falls, holders] = [fallOf(change), holdersOf(change, view)];
  if (falls === "") return "";
  return `    ${falls}\n${holders === "" ? "" : `      from ${holders}\n`}`;
}

/** The assignments that are removed with a deleted entity. Empty if there are none. */
export function fallOf(change: Change): string {
  if (isFacetChange(change) || change.action !== "delete" || change.assignments === 0) return "";
  if (change.assignments === undefined) return "also removes its live assignments (number unknown)";
  return `also removes ${count(change.assignments, "live assignment")}`;
}

/** The first entities that have these assignments, or all. Empty where the catalog names none. */
export function holdersOf(change: Change, { names, all }: Pick<EntryView, "names" | "all">): string {
  if (isFacetChange(change) || !change.assignedTo || change.assignments === undefined) return "";
  return namesOf(change.assignedTo, { names, all });
}

/** One line about removed values that may belong to others. Empty if there are none. */
export function removalLine({ changes, git }: Plan): string {
  const removed = changes.filter(isFacetChange).flatMap((change) => {
    const isReplaced = !isSetChange(change) && change.after !== null;
    return isReplaced || isInConflict(change) ? [] : (change.removed ?? []);
  });
  if (git.base === null) {
    if (removed.length === 0) return "";
    const them = removed.length === 1 ? "it" : "them";
    return `${count(removed.length, "value")} will be removed. Without a base (the last applied commit) it is unknown who added ${them}; with one, mode \`merge\` keeps what others added.\n`;
  }
  const others = removed.filter(({ declaredBefore }) => declaredBefore === false).length;
  if (others === 0) return "";
  const [were, them] = others === 1 ? ["was", "it"] : ["were", "them"];
  return `${count(others, "value")} will be removed that ${were} not declared before. Mode \`merge\` would keep ${them}.\n`;
}

/** One line about definitions that are no longer declared and stay, and the way to delete them. Empty if there are none. */
function pruneLine({ scope }: Pick<Plan, "scope">): string {
  const number = scope?.left?.entities.length ?? 0;
  if (number === 0) return "";
  const [are, stay, them] = number === 1 ? ["is", "stays", "it"] : ["are", "stay", "them"];
  return `${count(number, "definition")} ${are} no longer declared and ${stay} in the catalog. Delete ${them} with \`--prune --max-deletes ${number}\`.\n`;
}

/**
 * One line about values that are no longer declared and stay, and the way to remove them: the plan counts them where the
 * settings let a prune remove values. Empty if there are none.
 */
function valuesLine({ scope, unmanaged }: Pick<Plan, "scope" | "unmanaged">): string {
  const { entities = [], values = 0 } = scope?.left ?? {};
  const deletable = new Set<string>(entities);
  const listed = unmanaged.filter(
    ({ urn, facet, reason }) =>
      reason === "no-longer-declared" && facet !== undefined && canBePruned(facet) && !deletable.has(urn),
  );
  const number = values || listed.length;
  if (number === 0) return "";
  const [are, stay, them] = number === 1 ? ["is", "stays", "it"] : ["are", "stay", "them"];
  const way =
    values > 0
      ? `Remove ${them} with \`--prune\`.`
      : `With \`prune: { assignments: true }\` in the settings, \`--prune\` removes ${them}.`;
  return `${count(number, "value")} ${are} no longer declared and ${stay} in the catalog. ${way}\n`;
}

/** What refusing problems mean for `apply`. */
export const refusalEffect = "`apply` writes nothing until all problems are fixed.";
