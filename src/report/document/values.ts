/** Prints values, names, places and writers in the words that all formats share. */

import { facetNamed } from "../../facets/index.ts";
import { kindOfType, nounOf, pluralOf } from "../../kinds/index.ts";
import type { Change, Source, Written } from "../../model/change.ts";
import type { Place } from "../../model/place.ts";
import type { Origin } from "../../model/origin.ts";
import type { Names } from "../../model/plan.ts";
import { type Member, memberKey, type Scalar } from "../../model/state.ts";
import { columnOfUrn, entityTypeOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { countedText } from "../count.ts";
import { printable } from "../printable.ts";

/** The display name of a URN, if known. */
export function displayNameOf(urn: string, names: Names = {}): string | undefined {
  // A saved plan can contain any text: `constructor` must not be found.
  return Object.hasOwn(names, urn) ? names[urn] : undefined;
}

// A longer name could push the URN after it out of a line that is cut.
const maxNameLength = 80;

function shortNameOf(urn: string, names?: Names): string | undefined {
  const name = displayNameOf(urn, names);
  const characters = Array.from(name ?? "");
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength).join("")}…` : name;
}

/** A URN after its display name, if known: `Growth (urn:li:domain:2fbac1a0)`. */
export function urnWithName(urn: string, names?: Names): string {
  const name = shortNameOf(urn, names);
  return name === undefined ? urn : `${name} (${urn})`;
}

/** A sentence in which display names are added before URNs in back quotes. */
export function sentenceWithNames(sentence: string, names?: Names): string {
  return sentence.replaceAll(/`(urn:li:[^`]+)`/g, (quoted, urn: string) => {
    const name = shortNameOf(urn, names);
    // Back quotes mark values, so a name must not contain them.
    return name === undefined ? quoted : `${name.replaceAll("`", "'")} (${quoted})`;
  });
}

/**
 * The display name of an entity, or else the name in its URN: `prod.sales.orders`. For a column, its path and the name of its
 * entity. For an unknown kind, the URN.
 */
export function plainNameOf(urn: Urn, names?: Names): string {
  const column = columnOfUrn(urn);
  if (column) return `${column.fieldPath} of ${plainNameOf(column.parent, names)}`;
  const kind = kindOfType(entityTypeOf(urn));
  return displayNameOf(urn, names) ?? (kind ? kind.asset?.nameOf(urn) || plainKeyOf(urn) : urn);
}

/** More names are counted. */
const maxNames = 3;

/** The names of entities: the first three and the number of others, or all. */
export function namesOf(urns: readonly Urn[], names: Names | undefined, all = false): string {
  const shown = urns.slice(0, all ? urns.length : maxNames);
  const texts = shown.map((urn) => printable(plainNameOf(urn, names)).slice(0, maxNameLength));
  const left = urns.length - shown.length;
  return texts.join(", ") + (left > 0 ? ` and ${countedText(left, "more", "more")}` : "");
}

/** A number of entities: "5,000 datasets". The kind may be unknown, in a plan of another version. */
export function entitiesText(number: number, kind: string): string {
  return countedText(number, nounOf(kind), pluralOf(kind));
}

/** A value as a plan shows it, on one line. */
export function valueText(facet: string, value: Member | Scalar, names?: Names): string {
  const text = facetNamed(facet).format(value, (urn) => urnWithName(urn, names));
  return printable(text.replaceAll(/(?<!\s)\s*\n\s*/g, " ⏎ "));
}

/** The key that is equal for equal values of a facet. */
export function keyOf(value: Member | Scalar): string {
  return typeof value === "object" && value !== null ? memberKey(value) : String(value);
}

/** A facet, followed by the keys of a place. */
export function placeIn({ facet, path = [] }: Place): string {
  return printable([facet, ...path].join(" "));
}

/** `file:line:column`, which editors and terminals show as a link. */
export function positionText({ file, line, column }: Origin): string {
  return `${printable(file)}:${line}:${column}`;
}

/** The position in a manifest, in the work tree or in the base. */
export function sourcePosition(source: Source, hasLine = true): string {
  // A rollback takes values from a run, which has no lines.
  if (!/\.ya?ml$/i.test(source.file)) return `(run ${printable(source.file)})`;
  const at = hasLine ? positionText(source) : printable(source.file);
  return source.base ? `${at} in the base` : at;
}

const maxRules = 5;

/** The place that a change comes from, and its rules. Empty if unknown. */
export function sourceText({ source, rules = [] }: Change, hasLine = true): string {
  if (!source) return "";
  const place = sourcePosition(source, hasLine);
  const named = rules.length > maxRules ? [...rules.slice(0, maxRules), "…"] : rules;
  return rules.length === 0
    ? place
    : `${place} (${rules.length === 1 ? "rule" : "rules"} ${printable(named.join(", "))})`;
}

/** The actor of writes by DataHub itself (`SYSTEM_ACTOR` in its `Constants.java`). */
const systemUser = "urn:li:corpuser:__datahub_system";

/** The first user. DataHub itself uses this actor, too, so only an attribution on the value itself shows that a person wrote it. */
const defaultUser = "urn:li:corpuser:datahub";

/** The writer of a value, or the last editor of its aspect, and the day (UTC). Empty if unknown or DataHub itself. */
export function writerText(
  { actor, time, lastWriterOfAspect }: Written,
  role: "set by" | "added by",
  names?: Names,
): string {
  if (actor === undefined || actor === systemUser) return "";
  if (lastWriterOfAspect && actor === defaultUser) return "";
  const what = lastWriterOfAspect ? "last edited by" : role;
  const when = time === undefined ? "" : ` on ${time.replace(/T.*/s, "")}`;
  return printable(`${what} ${urnWithName(actor, names)}${when}`);
}
