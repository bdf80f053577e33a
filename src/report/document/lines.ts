/** Describes changes in detail: values, conflicts, effects of deletions, and reasons why values are not managed. */

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
import type { Names, Unmanaged } from "../../model/plan.ts";
import { type Fields, isFields, type Member, type Scalar } from "../../model/state.ts";
import { holdReason, hasValuesHeldBack } from "../../model/held-back.ts";
import { count } from "../count.ts";
import type { Conflict, Line, Note, Sign } from "../page.ts";
import { printable } from "../printable.ts";
import { keyOf, namesOf, urnWithName, valueText, writerText } from "./values.ts";

/** How to show changes. In drift, a value that exists only in the catalog counts as added. */
export interface ChangePerspective {
  readonly names?: Names | undefined;
  readonly isDrift?: boolean | undefined;
  /** Whether to list shared changes and long lists of entities in full. */
  readonly all?: boolean | undefined;
}

/** Returns the values that a change adds and removes. */
export function addedAndRemoved(
  change: FacetChange,
): Readonly<Record<"add" | "remove", readonly (Member | Scalar)[]>> {
  if (isSetChange(change)) return change;
  const { before, after } = change;
  return { add: after === null ? [] : [after], remove: before === null ? [] : [before] };
}

/** Returns a line for each value in a change. */
export function linesOf(change: FacetChange, { names, isDrift = false }: ChangePerspective): readonly Line[] {
  const { add, remove } = addedAndRemoved(change);
  const [gained, lost] = isDrift ? [remove, add] : [add, remove];
  const text = (value: Member | Scalar): string => valueText(change.facet, value, names);
  const { removed = [] } = change;
  const byValue = new Map(removed.map((each) => [keyOf(each.value), each]));
  const live = (value: Member | Scalar): Removed | undefined =>
    isSetChange(change) ? byValue.get(keyOf(value)) : removed[0];
  const fallback = isSetChange(change) || isDrift ? undefined : (change.fallback ?? undefined);
  const notesOf = (
    sign: Sign,
    value: Member | Scalar,
    unchanged: readonly string[] = [],
  ): readonly Note[] => [
    ...noteIf("unchanged", unchanged.length === 0 ? "" : `unchanged: ${unchanged.join(", ")}`),
    ...(sign === "~" || (sign === "+") === isDrift ? notesOnLive(live(value), names) : []),
    ...noteIf("fallback", fallback !== undefined && sign === "-" ? fallbackText(text(fallback)) : ""),
    ...noteIf("held", heldText(change, value)),
  ];
  const [[after], [before]] = [gained, lost];
  if (!isSetChange(change) && after !== undefined && before !== undefined) {
    const { unchanged, ...texts } = replacementTexts(before, after, text);
    return [{ sign: "~", ...texts, notes: notesOf("~", after, unchanged) }];
  }
  const lineOf = (sign: Sign, value: Member | Scalar): Line => {
    return { sign, text: text(value), notes: notesOf(sign, value) };
  };
  return [...gained.map((value) => lineOf("+", value)), ...lost.map((value) => lineOf("-", value))];
}

function noteIf(about: Note["about"], text: string): readonly Note[] {
  return text === "" ? [] : [{ about, text }];
}

function fallbackText(text: string): string {
  return `the catalog then shows the ingested text: ${text}`;
}

function heldText(change: FacetChange, value: Member | Scalar): string {
  const of = isSetChange(change) ? value : change.after;
  const reason = hasValuesHeldBack(change) ? holdReason(change, of) : undefined;
  return reason === undefined ? "" : `held back: ${reason}`;
}

/** Returns notes about a live value: its origin, its writer, and the reason for its removal. */
function notesOnLive(removed: Removed | undefined, names?: Names): readonly Note[] {
  if (!removed) return [];
  const { movesTo } = removed;
  const moves = movesTo === undefined ? [] : [`because it joins ${urnWithName(movesTo, names)}`];
  const writer = [...moves, writerText(removed, "set by", names)].filter((text) => text !== "").join("; ");
  return [...noteIf("origin", originText(removed)), ...noteIf("writer", writer)];
}

/**
 * Returns the old and new texts of a replaced value. If the value has several fields, the texts contain only the fields that
 * differ.
 */
function replacementTexts(
  before: Member | Scalar,
  after: Member | Scalar,
  text: (value: Member | Scalar) => string,
): { readonly text: string; readonly before: string; readonly unchanged?: readonly string[] } {
  if (!isFields(before) || !isFields(after)) return { before: text(before), text: text(after) };
  const unchanged = Object.keys(before).filter((field) => before[field] === after[field]);
  const differing = (value: Fields): string =>
    text(Object.fromEntries(Object.entries(value).filter(([field]) => !unchanged.includes(field))));
  return { before: differing(before), text: differing(after), unchanged };
}

/**
 * States that a removed value was not declared before, or that the last applied commit declares it. Returns an empty string
 * otherwise.
 */
export function originText({ declaredBefore, lastApplied }: Removed): string {
  if (lastApplied)
    return `declared in the last applied commit, ${printable(`${lastApplied.file}:${lastApplied.line}`)}`;
  return declaredBefore === false ? "not declared before" : "";
}

const endings = {
  desired: "the live value will be overwritten (--force-conflicts)",
  live: "the live value will be kept (--skip-conflicts, or `conflicts: skip` in the settings)",
  moved: "someone changed it after the run; the live value will be kept and the rest applied",
  reviewed: "the live value is kept, and the rest is applied; to settle the conflict, declare the live value",
  open: "the live value is kept, and the rest is applied; to settle the conflict, declare the live value or use --force-conflicts; --skip-conflicts only changes the exit code",
};

/** Returns a change's conflict, if it has one. */
export function conflictOf(change: FacetChange, names?: Names, isReview = false): Conflict | undefined {
  if (isSetChange(change) || !change.conflict) return undefined;
  const { facet, conflict, removed: [removed] = [] } = change;
  const value = (side: Scalar): string => (side === null ? "none" : valueText(facet, side, names));
  const isUnknown = removed?.declaredBefore === null;
  const writer = removed ? writerText(removed, "set by", names) : "";
  return {
    ending: endings[conflict.moved ? "moved" : (conflict.winner ?? (isReview ? "reviewed" : "open"))],
    sides: [
      {
        name: "base",
        text: isUnknown ? "unknown, because there is no base" : value(conflict.base),
        writer: "",
      },
      { name: "live", text: value(conflict.live), writer },
      { name: "declared", text: value(conflict.desired), writer: "" },
    ],
  };
}

/** Descriptions of a deletion's effects. Each description is empty if the effect is unknown. */
interface DeletionTexts {
  /** The assignments that the deletion also removes. `on` lists the entities that have them, or only the first few. */
  readonly effect: string;
  readonly on: string;
  /** The permanent consequences of the deletion. */
  readonly aftermath: string;
}

/** Describes the effects of a deletion. All descriptions are empty for other changes. */
export function deletionTexts(change: Change, { names, all = false }: ChangePerspective): DeletionTexts {
  if (isFacetChange(change) || change.action !== "delete") return { effect: "", on: "", aftermath: "" };
  const { assignments, assignedTo = [], kind } = change;
  const { aftermath = "", mutation } = kindOf(kind).deletion ?? {};
  const verb = mutation === undefined ? "hides" : "removes";
  if (assignments === 0) return { effect: "", on: "", aftermath };
  if (assignments === undefined)
    return { effect: `also ${verb} its assignments (number unknown)`, on: "", aftermath };
  return {
    effect: `also ${verb} its assignments on ${count(assignments, "entity", "entities")}`,
    on: namesOf(assignedTo, names, all),
    aftermath,
  };
}

/** Describes a deletion's effects in one line. Returns an empty string if there are none. */
export function deletionNote(change: Change, perspective: ChangePerspective): string {
  const { effect, on, aftermath } = deletionTexts(change, perspective);
  return [on === "" ? effect : `${effect}: ${on}`, aftermath].filter((part) => part !== "").join("; ");
}

/** The wording for each reason why a value is not managed. */
const unmanagedReasons: Readonly<Record<Unmanaged["reason"], string>> = {
  "other-writer": "not declared",
  ingested: "set by ingestion",
  external: "external group",
  "no-longer-declared": "no longer declared",
  "not-expressible": "cannot be expressed in a manifest",
};

/** States why a value is not managed and, if known, who wrote it. */
export function unmanagedReason(value: Unmanaged, names?: Names): string {
  const reason = unmanagedReasons[value.reason];
  if (value.facet === undefined) return reason;
  const role = facetNamed(value.facet).shape === "scalar" ? "set by" : "added by";
  const writer = writerText(value, role, names);
  return writer === "" ? reason : `${reason}; ${writer}`;
}

/** Counts each field's unmanaged values by reason: "tags: 12 not declared, 3 set by ingestion". */
export function unmanagedCounts(unmanaged: readonly Unmanaged[]): readonly string[] {
  return [...groupBy(unmanaged, ({ facet }) => facet)].map(([facet = "definitions", values]) => {
    const counts = [...groupBy(values, ({ reason }) => reason)];
    return `${facet}: ${counts.map(([reason, those]) => `${those.length} ${unmanagedReasons[reason]}`).join(", ")}`;
  });
}
