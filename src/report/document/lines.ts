import { facetNamed } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import {
  type Change,
  type FacetChange,
  isFacetChange,
  isSetChange,
  type Removed,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import type { Names, Unmanaged } from "../../model/plan.ts";
import { type Fields, isFields, type Member, type Scalar } from "../../model/state.ts";
import { heldReason, holdsValues } from "../../plan/diff/held-back.ts";
import { count } from "../count.ts";
import { printable } from "../printable.ts";
import { keyOf, namesOf, urnWithName, valueText, writerText } from "./values.ts";

/** A value that is added or taken away, or that replaces another one. */
export interface Line {
  readonly sign: "+" | "-" | "~";
  readonly text: string;
  /** The value that is replaced. */
  readonly before?: string;
  /** What the catalog shows when the value is unset. */
  readonly fallback?: string;
  /** The fields of the value that are replaced by the same, which both texts leave out. */
  readonly unchanged?: readonly string[];
  /** What is known of the value in the catalog. */
  readonly known?: Known | undefined;
  /** Why it is not written for now, where it is held back by itself. */
  readonly held?: string;
}

/** What is known of a value that goes: why it goes and who wrote it in `writer`. Each is empty if it is unknown. */
interface Known {
  /** That it was not declared before, or that the last applied commit declares it, which HEAD does not have. */
  readonly origin: string;
  readonly writer: string;
}

/** How changes are seen. In drift the catalog is compared with the manifests: a value that only the catalog has is added. */
export interface Seen {
  readonly names?: Names | undefined;
  readonly isDrift?: boolean | undefined;
}

/** The values that a change adds and takes away. */
export function sidesOf(
  change: FacetChange,
): Readonly<Record<"add" | "remove", readonly (Member | Scalar)[]>> {
  if (isSetChange(change)) return change;
  const { before, after } = change;
  return { add: after === null ? [] : [after], remove: before === null ? [] : [before] };
}

/** A change, line by line. */
export function linesOf(change: FacetChange, seen: Seen): readonly Line[] {
  const lines = plainLines(change, seen);
  return lines.map(({ line, value }) => {
    const of = isSetChange(change) ? value : change.after;
    const reason = holdsValues(change) ? heldReason(change, of) : undefined;
    return reason === undefined ? line : { ...line, held: `held back: ${reason}` };
  });
}

interface LineOf {
  readonly line: Line;
  readonly value: Member | Scalar;
}

function plainLines(change: FacetChange, { names, isDrift = false }: Seen): readonly LineOf[] {
  const { facet, removed = [] } = change;
  const { add, remove } = sidesOf(change);
  const [gained, lost] = isDrift ? [remove, add] : [add, remove];
  const text = (value: Member | Scalar): string => valueText(facet, value, names);
  if (!isSetChange(change)) {
    const [[after], [before]] = [gained, lost];
    const known = knownOf(removed[0], names);
    if (after !== undefined && before !== undefined)
      return [{ value: after, line: { sign: "~", ...replacementTexts(before, after, text), known } }];
    const { fallback = null } = change;
    if (fallback !== null && !isDrift)
      return lost.map((value): LineOf => {
        return { value, line: { sign: "-", text: text(value), fallback: text(fallback), known } };
      });
  }
  const live = new Map(removed.map((each) => [keyOf(each.value), each]));
  const knownIf = (isLive: boolean, value: Member | Scalar): Known | undefined =>
    isLive ? knownOf(isSetChange(change) ? live.get(keyOf(value)) : removed[0], names) : undefined;
  const lineOf = (sign: "+" | "-", value: Member | Scalar): LineOf => {
    return { value, line: { sign, text: text(value), known: knownIf((sign === "+") === isDrift, value) } };
  };
  return [...gained.map((value) => lineOf("+", value)), ...lost.map((value) => lineOf("-", value))];
}

/** Both texts of a value that is replaced: of several fields those that differ. */
function replacementTexts(
  before: Member | Scalar,
  after: Member | Scalar,
  text: (value: Member | Scalar) => string,
): Pick<Line, "text" | "before" | "unchanged"> {
  if (!isFields(before) || !isFields(after)) return { before: text(before), text: text(after) };
  const unchanged = Object.keys(before).filter((field) => before[field] === after[field]);
  const differing = (value: Fields): string =>
    text(Object.fromEntries(Object.entries(value).filter(([field]) => !unchanged.includes(field))));
  return { before: differing(before), text: differing(after), ...(unchanged.length > 0 && { unchanged }) };
}

/** The fields of a replaced value that stay as they are, in words. Empty where there are none. */
export function unchangedText({ unchanged = [] }: Pick<Line, "unchanged">): string {
  return unchanged.length === 0 ? "" : `(unchanged: ${unchanged.join(", ")})`;
}

/** What the catalog shows when a value is unset, in words. */
export function fallbackText(fallback: string): string {
  return `(the catalog then shows the ingested text: ${fallback})`;
}

function knownOf(removed: Removed | undefined, names?: Names): Known | undefined {
  if (!removed) return undefined;
  const { movesTo } = removed;
  const moves = movesTo === undefined ? [] : [`because it joins ${urnWithName(movesTo, names)}`];
  const texts = [...moves, writerText(removed, "set by", names)].filter((text) => text !== "");
  return { origin: originText(removed), writer: texts.join("; ") };
}

/** That a value that goes was not declared before, or is declared by the last applied commit. Empty where it is neither. */
export function originText({ declaredBefore, lastApplied }: Removed): string {
  if (lastApplied) return `declared by the last applied commit, ${fileAndLine(lastApplied)}`;
  return declaredBefore === false ? "not declared before" : "";
}

function fileAndLine({ file, line }: Origin): string {
  return printable(`${file}:${line}`);
}

const endings = {
  desired: "the live value will be overwritten (--force-conflicts)",
  live: "the live value will be kept (--skip-conflicts, or `conflicts: skip` in the settings)",
  moved: "somebody changed it after the run; the live value will be kept and the rest applied",
  reviewed: "the live value will be kept and the rest applied; declare it to keep it",
  open: "the live value will be kept and the rest applied; declare it, or use --force-conflicts or --skip-conflicts",
};

/** How a conflict ends, its three values, and who wrote the live one. */
export interface ConflictTexts {
  readonly ending: string;
  readonly base: string;
  readonly live: string;
  readonly writer: string;
  readonly declared: string;
}

/** The conflict of a change, where it has one. */
export function conflictTexts(
  change: FacetChange,
  names?: Names,
  isReview = false,
): ConflictTexts | undefined {
  if (isSetChange(change) || !change.conflict) return undefined;
  const { facet, conflict, removed: [removed] = [] } = change;
  const value = (side: Scalar): string => (side === null ? "none" : valueText(facet, side, names));
  const isUnknown = removed?.declaredBefore === null;
  return {
    ending: endings[conflict.moved ? "moved" : (conflict.winner ?? (isReview ? "reviewed" : "open"))],
    base: isUnknown ? "unknown, because there is no base" : value(conflict.base),
    live: value(conflict.live),
    writer: removed ? writerText(removed, "set by", names) : "",
    declared: value(conflict.desired),
  };
}

/** What a deletion of an entity brings with it, each empty if nothing is known. */
interface DeletionTexts {
  /** What is removed together with it, and the first entities that lose it, or all. */
  readonly effect: string;
  readonly from: string;
  /** What it means for later. */
  readonly aftermath: string;
}

/** What a deletion of an entity brings with it. */
export function deletionTexts(
  change: Change,
  { names, all = false }: { readonly names?: Names | undefined; readonly all?: boolean | undefined },
): DeletionTexts {
  if (isFacetChange(change) || change.action !== "delete") return { effect: "", from: "", aftermath: "" };
  const { assignments, assignedTo = [], kind } = change;
  const { aftermath = "", mutation } = kindOf(kind).deletion ?? {};
  const verb = mutation === undefined ? "hides" : "removes";
  if (assignments === 0) return { effect: "", from: "", aftermath };
  if (assignments === undefined)
    return { effect: `also ${verb} its live assignments (number unknown)`, from: "", aftermath };
  return {
    effect: `also ${verb} ${count(assignments, "live assignment")}`,
    from: namesOf(assignedTo, names, all),
    aftermath,
  };
}

/** The same in one line, which is empty where there is nothing to say. */
export function deletionNote(change: Change, seen: Parameters<typeof deletionTexts>[1]): string {
  const { effect, from, aftermath } = deletionTexts(change, seen);
  return [from === "" ? effect : `${effect} from ${from}`, aftermath]
    .filter((part) => part !== "")
    .join("; ");
}

/** Why values are not managed. */
const unmanagedReasons: Readonly<Record<Unmanaged["reason"], string>> = {
  "other-writer": "not declared",
  ingested: "set by ingestion",
  external: "external group",
  "no-longer-declared": "no longer declared",
  "not-expressible": "a manifest cannot express it",
};

/** Why a value is not managed, and who put it there if that is known. */
export function unmanagedReason(value: Unmanaged, names?: Names): string {
  const reason = unmanagedReasons[value.reason];
  if (value.facet === undefined) return reason;
  const role = facetNamed(value.facet).shape === "scalar" ? "set by" : "added by";
  const writer = writerText(value, role, names);
  return writer === "" ? reason : `${reason}; ${writer}`;
}

/** How many values of each field are not managed, by reason: "tags: 12 not declared, 3 set by ingestion". */
export function unmanagedCounts(unmanaged: readonly Unmanaged[]): readonly string[] {
  return [...groupBy(unmanaged, ({ facet }) => facet)].map(([facet = "definitions", values]) => {
    const counts = [...groupBy(values, ({ reason }) => reason)];
    return `${facet}: ${counts.map(([reason, those]) => `${those.length} ${unmanagedReasons[reason]}`).join(", ")}`;
  });
}
