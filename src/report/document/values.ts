/** Formats values, names, locations and writers the same way in every output format. */

import { facetNamed } from "../../facets/index.ts";
import { kindOfUrn, nounOf, pluralOf } from "../../kinds/index.ts";
import type { Change, Source, Written } from "../../model/change.ts";
import type { Place } from "../../model/place.ts";
import type { Origin } from "../../model/origin.ts";
import type { Names } from "../../model/plan.ts";
import { type Member, memberKey, type Scalar } from "../../model/state.ts";
import { columnOfUrn, plainKeyOf, type Urn } from "../../model/urn.ts";
import { countedText } from "../count.ts";
import { printable } from "../printable.ts";

/** Returns a URN's display name, if known. */
export function displayNameOf(urn: string, names: Names = {}): string | undefined {
  // A saved plan can contain any text, so the lookup must ignore inherited properties such as `constructor`.
  return Object.hasOwn(names, urn) ? names[urn] : undefined;
}

// The maximum length of a display name. A longer name could push the URN beyond the end of a shortened line.
const maxNameLength = 80;

function shortNameOf(urn: string, names?: Names): string | undefined {
  const name = displayNameOf(urn, names);
  const characters = Array.from(name ?? "");
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength).join("")}…` : name;
}

/** Returns a URN, preceded by its display name if known: `Growth (urn:li:domain:2fbac1a0)`. */
export function urnWithName(urn: string, names?: Names): string {
  const name = shortNameOf(urn, names);
  return name === undefined ? urn : `${name} (${urn})`;
}

/** Adds display names to a sentence, in front of URNs in backticks. */
export function sentenceWithNames(sentence: string, names?: Names): string {
  return sentence.replaceAll(/`(urn:li:[^`]+)`/g, (quoted, urn: string) => {
    const name = shortNameOf(urn, names);
    // Backticks mark values, so a name must not contain them.
    return name === undefined ? quoted : `${name.replaceAll("`", "'")} (${quoted})`;
  });
}

/**
 * Returns an entity's display name. If it has none, returns the name in the URN, such as `prod.sales.orders`. For a column,
 * returns its path and its entity's name. For an unknown kind, returns the URN.
 */
export function plainNameOf(urn: Urn, names?: Names): string {
  const column = columnOfUrn(urn);
  if (column) return `${column.fieldPath} of ${plainNameOf(column.parent, names)}`;
  const kind = kindOfUrn(urn);
  return displayNameOf(urn, names) ?? (kind ? kind.asset?.nameOf(urn) || plainKeyOf(urn) : urn);
}

/** The maximum number of names to list. All other names are counted, but not listed. */
const maxNames = 3;

/** Lists the first three entity names and counts the remaining entities. With `all`, lists all names. */
export function namesOf(urns: readonly Urn[], names: Names | undefined, all = false): string {
  const shown = urns.slice(0, all ? urns.length : maxNames);
  const texts = shown.map((urn) => printable(plainNameOf(urn, names)).slice(0, maxNameLength));
  const left = urns.length - shown.length;
  return texts.join(", ") + (left > 0 ? ` and ${countedText(left, "more", "more")}` : "");
}

/** Counts entities: "5,000 datasets". A plan from a different version of the tool may contain an unknown kind. */
export function entitiesText(number: number, kind: string): string {
  return countedText(number, nounOf(kind), pluralOf(kind));
}

/** Formats a value as plans show it, on one line. */
export function valueText(facet: string, value: Member | Scalar, names?: Names): string {
  const text = facetNamed(facet).format(value, (urn) => urnWithName(urn, names));
  return printable(text.replaceAll(/(?<!\s)\s*\n\s*/g, " ⏎ "));
}

/** Returns a key that is equal for equal values of a facet. */
export function keyOf(value: Member | Scalar): string {
  return typeof value === "object" && value !== null ? memberKey(value) : String(value);
}

/** Returns a facet's name, followed by the keys below it. */
export function placeIn({ facet, path = [] }: Place): string {
  return printable([facet, ...path].join(" "));
}

/** Formats a position as `file:line:column`, which editors and terminals show as a link. */
export function positionText({ file, line, column }: Origin): string {
  return `${printable(file)}:${line}:${column}`;
}

/** Formats a position in a manifest. The manifest may be in the work tree or in the base. */
export function sourcePosition(source: Source, hasLine = true): string {
  // The values in a rollback come from a stored run, which has no line numbers.
  if (!/\.ya?ml$/i.test(source.file)) return `(run ${printable(source.file)})`;
  const at = hasLine ? positionText(source) : printable(source.file);
  return source.base ? `${at} in the base` : at;
}

const maxRules = 5;

/** Returns a change's source location and rules. Returns an empty string if the location is unknown. */
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

/**
 * DataHub's initial user. DataHub itself also writes as this user, so only an attribution on the value shows that a user wrote
 * it.
 */
const defaultUser = "urn:li:corpuser:datahub";

/**
 * Returns a value's writer, or the last editor of its aspect, and the date (UTC). Returns an empty string if the writer is
 * unknown or is DataHub itself.
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
  return printable(`${what} ${urnWithName(actor, names)}${when}`);
}
