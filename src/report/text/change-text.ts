import { type ChangeObject, diffWordsWithSpace } from "diff";
import type { Place } from "../../model/place.ts";
import { facetNamed } from "../../facets/index.ts";
import {
  type Change,
  type Conflict,
  type FacetChange,
  isSetChange,
  type Removed,
  type ScalarChange,
  type Source,
  type Written,
} from "../../model/change.ts";
import type { Names } from "../../model/plan.ts";
import type { Origin } from "../../model/origin.ts";
import { type Member, memberKey, type Scalar } from "../../model/state.ts";
import { called } from "../called.ts";
import { printable } from "../printable.ts";
import type { Paint } from "../paint.ts";

/** The place that a change comes from, and the rules behind it. */
export function sourceText(source: Source, { rules = [] }: Pick<Change, "rules">, hasLine = true): string {
  const place = sourcePlace(source, hasLine);
  const named = rules.length > mostRules ? [...rules.slice(0, mostRules), "…"] : rules;
  return rules.length === 0
    ? place
    : `${place} (${rules.length === 1 ? "rule" : "rules"} ${printable(named.join(", "))})`;
}

const mostRules = 5;

/** A line of a manifest, or of one in the base. */
export function sourcePlace(source: Source, hasLine = true): string {
  const at = hasLine ? placeOf(source) : printable(source.file);
  return source.base ? `${at} in the base` : at;
}

/** What stands above the values of a change: its facet, and where it comes from. */
interface Heading {
  readonly name: string;
  readonly source: string;
}

function headingOf(change: FacetChange): Heading {
  return { name: placeIn(change), source: change.source ? sourceText(change.source, change) : "" };
}

/** A change of one facet as text: its place, and the values that are added and removed. Ends in a line break. */
export function changeText(
  change: FacetChange,
  paint: Paint,
  names?: Names,
  { name, source }: Heading = headingOf(change),
): string {
  const place = source === "" ? "" : `  ${paint("dim", source)}`;
  if (!isSetChange(change)) return scalarText(change, { name, place }, paint, names);
  const live = removedBy(change);
  const lineOf = (style: "add" | "remove", mark: string, member: Member): string => {
    const known = live.get(keyOf(member));
    const value = paint(style, `${mark} ${shown(change.facet, member, names)}`);
    return value + (known ? noteOf(known, paint, names) : "");
  };
  const lines = [
    ...change.add.map((member) => lineOf("add", "+", member)),
    ...change.remove.map((member) => lineOf("remove", "-", member)),
  ];
  return [`    ${name}${place}`, ...lines.map((line) => `      ${line}`), ""].join("\n");
}

function scalarText(
  change: ScalarChange,
  { name, place }: { readonly name: string; readonly place: string },
  paint: Paint,
  names?: Names,
): string {
  const { conflict, removed: [removed] = [] } = change;
  const note = removed && !conflict ? noteOf(removed, paint, names) : "";
  const [value, ...more] = valueLines(change, name, paint, names);
  const lines = [`    ${value}${place}${note}`, ...more.map((line) => `      ${line}`), ""].join("\n");
  return conflict ? lines + conflictText(change, conflict, paint, names) : lines;
}

/** The words that a text may gain and lose until its differences are no longer looked for: the time grows with their square. */
const mostEdits = 200;

function valueLines(
  { facet, before, after }: ScalarChange,
  name: string,
  paint: Paint,
  names?: Names,
): readonly string[] {
  const text = (value: Scalar): string => shown(facet, value, names);
  if (before === null) return [paint("add", `+ ${name}: ${text(after)}`)];
  if (after === null) return [paint("remove", `- ${name}: ${text(before)}`)];
  const [old, now] = [text(before), text(after)];
  const isReference = facetNamed(facet).refersTo.length > 0;
  const words = isReference ? [] : diffWordsWithSpace(old, now, { maxEditLength: mostEdits });
  const head = `${paint("change", "~")} ${name}:`;
  if (!words) return [head, paint("remove", `- ${old}`), paint("add", `+ ${now}`)];
  return [`${head} ${words.some(isKept) ? wordsText(words, paint) : replacedText(old, now, paint)}`];
}

/** Whether a part of a text stays, and is more than punctuation. */
function isKept({ value, added, removed }: ChangeObject<string>): boolean {
  return !added && !removed && /[\p{L}\p{N}]/u.test(value);
}

function wordsText(words: readonly ChangeObject<string>[], paint: Paint): string {
  const parts = words.map(({ value, added, removed }) => {
    if (added) return paint("add", `{+${value}+}`);
    return removed ? paint("remove", `[-${value}-]`) : value;
  });
  return parts.join("");
}

function replacedText(before: string, after: string, paint: Paint): string {
  return `${paint("remove", before)} → ${paint("add", after)}`;
}

const endings = {
  desired: "the live value will be overwritten (--force-conflicts)",
  live: "the live value will be kept (--skip-conflicts, or `conflicts: skip` in the settings)",
  open: "the live value will be kept and the rest applied; declare it, or use --force-conflicts or --skip-conflicts",
};

function conflictText(change: ScalarChange, conflict: Conflict, paint: Paint, names?: Names): string {
  const { ending, base, live, writer, declared } = conflictParts(change, conflict, paint, names);
  const lines = [
    `${paint("warning", "conflict")}: ${ending}`,
    `  base      ${base}`,
    `  live      ${live}${writer}`,
    `  declared  ${declared}`,
  ];
  return lines.map((line) => `      ${line}\n`).join("");
}

/** The parts of the text of a conflict: how it ends, its three values, and who wrote the live one. */
export function conflictParts(
  { facet, removed: [removed] = [] }: ScalarChange,
  conflict: Conflict,
  paint: Paint,
  names?: Names,
): Readonly<Record<"ending" | "base" | "live" | "writer" | "declared", string>> {
  const value = (side: Scalar): string => (side === null ? "none" : shown(facet, side, names));
  const isUnknown = removed?.declaredBefore === null;
  return {
    ending: endings[conflict.winner ?? "open"],
    base: isUnknown ? "unknown, because there is no base" : value(conflict.base),
    live: value(conflict.live),
    writer: removed ? writerOf(removed, paint, names) : "",
    declared: value(conflict.desired),
  };
}

/** The values that a change removes, with what is known of each, by `keyOf`. */
export function removedBy({ removed = [] }: FacetChange): ReadonlyMap<string, Removed> {
  return new Map(removed.map((each) => [keyOf(each.value), each]));
}

/** The key by which two values of a facet are equal. */
export function keyOf(value: Member | Scalar): string {
  return typeof value === "object" && value !== null ? memberKey(value) : String(value);
}

/** What is known about a removed value: whether it was declared before, and who wrote it. */
export function noteOf(removed: Removed, paint: Paint, names?: Names): string {
  const origin = removed.declaredBefore === false ? `  ${paint("warning", "not declared before")}` : "";
  return origin + writerOf(removed, paint, names);
}

function writerOf(removed: Removed, paint: Paint, names?: Names): string {
  const text = writerText(removed, "set by", names);
  return text === "" ? "" : `  ${paint("dim", `(${text})`)}`;
}

/**
 * Who put a value there, or who last edited what holds it, and on which day (UTC). Empty if unknown, and if it was DataHub
 * itself.
 */
export function writerText(
  { actor, time, lastWriterOfAspect }: Written,
  role: "set by" | "added by",
  names?: Names,
): string {
  if (actor === undefined || actor === systemUser) return "";
  if (lastWriterOfAspect && actor === defaultUser) return "";
  const what = lastWriterOfAspect ? "last edited by" : role;
  const when = time === undefined ? "" : ` on ${time.replace(/T.*/s, "")}`;
  return printable(`${what} ${called(actor, names)}${when}`);
}

/** The actor of what DataHub writes by itself (`SYSTEM_ACTOR` in its `Constants.java`). */
const systemUser = "urn:li:corpuser:__datahub_system";

/**
 * The user that DataHub begins with, and as whom it and its ingestion write where nobody has signed in. Only an attribution of
 * the value itself says that somebody used it.
 */
const defaultUser = "urn:li:corpuser:datahub";

/** A value as a plan shows it, on one line. */
export function shown(facet: string, value: Member | Scalar, names?: Names): string {
  const text = facetNamed(facet).format(value, (urn) => called(urn, names));
  return printable(text.replaceAll(/(?<!\s)\s*\n\s*/g, " ⏎ "));
}

/** A facet, with the keys below it. */
export function placeIn({ facet, path = [] }: Place): string {
  return printable([facet, ...path].join(" "));
}

/** `file:line:column`, which editors and terminals turn into a link. */
export function placeOf({ file, line, column }: Origin): string {
  return `${printable(file)}:${line}:${column}`;
}
