/** Lists operations that were not applied, grouped by reason, and describes an operation in words. */

import { type Change, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Operation, Request } from "../../model/operation.ts";
import type { Names } from "../../model/plan.ts";
import type { Outcome, Values } from "../../model/report.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { sidesWrittenBy } from "../../plan/order/ends-written.ts";
import { count } from "../count.ts";
import { printable, printableLine } from "../printable.ts";
import type { OutcomeRow } from "./document.ts";
import { sharersText } from "./entries.ts";
import { keyOf, placeIn, sourcePosition, urnWithName, valueText } from "./values.ts";

type Unapplied = Exclude<Outcome, { readonly status: "applied" }>;

const maxSkippedListed = 20;
const maxListedSingly = 5;

/**
 * Returns rows for the operations that were not applied. If there are many operations with the same reason, they share a row,
 * unless `all` is set.
 */
export function outcomeRows(outcomes: readonly Outcome[], names?: Names, all = false): readonly OutcomeRow[] {
  const unapplied = outcomes.filter((outcome) => outcome.status !== "applied");
  if (all) return unapplied.map((outcome) => singleRow(outcome, names));
  return [...groupBy(unapplied, reasonKey).values()].flatMap((group) => {
    const [first] = group;
    const max = first?.status === "skipped" ? maxSkippedListed : maxListedSingly;
    if (!first || group.length <= max) return group.map((outcome) => singleRow(outcome, names));
    return [{ ...rowOf(first, groupText(first, group, names), names), outcomes: group, of: group.length }];
  });
}

/** Returns a key that is equal for outcomes that are shown together. */
function reasonKey(outcome: Unapplied): string {
  if (outcome.status === "skipped") return `skipped ${outcome.because}`;
  const { status, operation } = outcome;
  const kinds = operation.changes.map(({ kind }) => kind);
  return [
    status,
    ...kinds,
    workText(operation, { isBare: true }),
    reasonOf(outcome),
    ...differences(outcome),
  ].join("\n");
}

function reasonOf(outcome: Unapplied): string {
  return outcome.status === "failed" ? outcome.error : outcome.because;
}

function singleRow(outcome: Unapplied, names?: Names): OutcomeRow {
  const [change] = outcome.operation.changes;
  const what = printable(workOn(outcome.operation, urnWithName(change?.urn ?? "", names), { names }));
  return rowOf(outcome, what + (change?.source ? `  ${sourcePosition(change.source)}` : ""), names);
}

function groupText({ status, operation }: Unapplied, group: readonly Unapplied[], names?: Names): string {
  if (status === "skipped") return count(group.length, "operation");
  const isOneWork = new Set(group.map((each) => workText(each.operation))).size === 1;
  const changes = group.flatMap((each) => each.operation.changes);
  return printable(workOn(operation, sharersText(changes, names), { names, isBare: !isOneWork }));
}

function rowOf(outcome: Unapplied, what: string, names?: Names): OutcomeRow {
  const { status } = outcome;
  const severity = status === "failed" ? "error" : "warning";
  const lines = [printableLine(reasonOf(outcome)), ...differences(outcome, names)];
  return { severity, status, text: `${status}: ${what}`, lines, outcomes: [outcome] };
}

function differences(outcome: Outcome, names?: Names): readonly string[] {
  if (!("expected" in outcome) || outcome.expected === undefined || outcome.found === undefined) return [];
  const { facet } = outcome.operation.changes[0] ?? {};
  const text = (values: Values): string => valuesText(values, facet, names);
  return [`expected ${text(outcome.expected)}`, `found    ${text(outcome.found)}`];
}

function valuesText(values: Values, facet: string | undefined, names?: Names): string {
  const all: readonly (Member | Scalar)[] = Array.isArray(values) ? values : [values as Scalar];
  const texts = all
    .filter((value) => value !== null)
    .map((value) => (facet === undefined ? printable(keyOf(value)) : valueText(facet, value, names)));
  return texts.length === 0 ? "none" : texts.join(", ");
}

interface WorkView {
  readonly names?: Names | undefined;
  /** Whether to omit values. */
  readonly isBare?: boolean;
}

/**
 * Describes an operation, such as "set domain" or "remove PII (urn:li:tag:pii) from tags". Includes an element only if it is the
 * only element that the change adds or removes, because a saved report may not contain the elements that an operation concerns.
 */
export function workText({ request, changes }: Operation, view: WorkView = {}): string {
  return changes.flatMap((change) => tasksOf(request, change, view)).join(", ");
}

/** Describes an operation and its object, such as "set domain of …" or "delete …". */
export function workOn(operation: Operation, what: string, view?: WorkView): string {
  const isOfFacet = operation.changes.some(isFacetChange);
  return `${workText(operation, view)}${isOfFacet ? " of" : ""} ${what}`;
}

function tasksOf(request: Request, change: Change, { names, isBare = false }: WorkView): readonly string[] {
  if (!isFacetChange(change)) return [change.action];
  if (!isSetChange(change)) return [`${change.after === null ? "unset" : "set"} ${placeIn(change)}`];
  return sidesWrittenBy(request, change).map((side) => {
    const [value, ...others] = change[side];
    const isNamed = !isBare && value !== undefined && others.length === 0;
    const named = isNamed ? ` ${valueText(change.facet, value, names)}` : "";
    return `${side}${named} ${side === "add" ? "to" : "from"} ${placeIn(change)}`;
  });
}
