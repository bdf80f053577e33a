import { facetNamed } from "../../facets/index.ts";
import { kindOfType, nounOf, pluralOf } from "../../kinds/index.ts";
import type { Change, Source, Written } from "../../model/change.ts";
import type { Place } from "../../model/place.ts";
import type { Origin } from "../../model/origin.ts";
import type { Names } from "../../model/plan.ts";
import { type Member, memberKey, type Scalar } from "../../model/state.ts";
import { columnOfUrn, entityTypeOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { many } from "../count.ts";
import { printable } from "../printable.ts";

/** The display name of a URN, where one is known. */
export function displayNameOf(urn: string, names: Names = {}): string | undefined {
  // A saved plan can ask for any text: `constructor` is not a name.
  return Object.hasOwn(names, urn) ? names[urn] : undefined;
}

// The URN after it must not be lost where long lines are cut.
const longestName = 80;

function shortNameOf(urn: string, names?: Names): string | undefined {
  const name = displayNameOf(urn, names);
  const characters = Array.from(name ?? "");
  return characters.length > longestName ? `${characters.slice(0, longestName).join("")}…` : name;
}

/** A URN with the display name before it, where one is known: `Growth (urn:li:domain:2fbac1a0)`. */
export function urnWithName(urn: string, names?: Names): string {
  const name = shortNameOf(urn, names);
  return name === undefined ? urn : `${name} (${urn})`;
}

/** A sentence in which a URN in back quotes has the display name before it, where one is known. */
export function sentenceWithNames(sentence: string, names?: Names): string {
  return sentence.replaceAll(/`(urn:li:[^`]+)`/g, (quoted, urn: string) => {
    const name = shortNameOf(urn, names);
    // What is in back quotes is a value.
    return name === undefined ? quoted : `${name.replaceAll("`", "'")} (${quoted})`;
  });
}

/**
 * The display name of an entity, or else the name in its URN: `prod.sales.orders`; of a column its path and whose it is. The URN
 * itself for an unknown kind.
 */
export function plainNameOf(urn: Urn, names?: Names): string {
  const column = columnOfUrn(urn);
  if (column) return `${column.fieldPath} of ${plainNameOf(column.parent, names)}`;
  const kind = kindOfType(entityTypeOf(urn));
  return displayNameOf(urn, names) ?? (kind ? kind.asset?.nameOf(urn) || plainKeyOf(urn) : urn);
}

/** More names than this are counted. */
const maxNames = 3;

/** Entities by their names: the first three and how many more, or all. */
export function namesOf(urns: readonly Urn[], names: Names | undefined, all = false): string {
  const shown = urns.slice(0, all ? urns.length : maxNames);
  const texts = shown.map((urn) => printable(plainNameOf(urn, names)).slice(0, longestName));
  const left = urns.length - shown.length;
  return texts.join(", ") + (left > 0 ? ` and ${many(left, "more", "more")}` : "");
}

/** How many entities of a kind: "5,000 datasets". The kind may be one of another version. */
export function entitiesText(number: number, kind: string): string {
  return many(number, nounOf(kind), pluralOf(kind));
}

/** A value as a plan shows it, on one line. */
export function valueText(facet: string, value: Member | Scalar, names?: Names): string {
  const text = facetNamed(facet).format(value, (urn) => urnWithName(urn, names));
  return printable(text.replaceAll(/(?<!\s)\s*\n\s*/g, " ⏎ "));
}

/** The key by which two values of a facet are equal. */
export function keyOf(value: Member | Scalar): string {
  return typeof value === "object" && value !== null ? memberKey(value) : String(value);
}

/** A facet, with the keys below it. */
export function placeIn({ facet, path = [] }: Place): string {
  return printable([facet, ...path].join(" "));
}

/** `file:line:column`, which editors and terminals turn into a link. */
export function positionText({ file, line, column }: Origin): string {
  return `${printable(file)}:${line}:${column}`;
}

/** A line of a manifest, or of one in the base. */
export function sourcePosition(source: Source, hasLine = true): string {
  // What a rollback puts back comes from a run, and that has no lines.
  if (!/\.ya?ml$/i.test(source.file)) return `(run ${printable(source.file)})`;
  const at = hasLine ? positionText(source) : printable(source.file);
  return source.base ? `${at} in the base` : at;
}

const maxRules = 5;

/** The place that a change comes from, and the rules behind it. Empty if it is unknown. */
export function sourceText({ source, rules = [] }: Pick<Change, "source" | "rules">, hasLine = true): string {
  if (!source) return "";
  const place = sourcePosition(source, hasLine);
  const named = rules.length > maxRules ? [...rules.slice(0, maxRules), "…"] : rules;
  return rules.length === 0
    ? place
    : `${place} (${rules.length === 1 ? "rule" : "rules"} ${printable(named.join(", "))})`;
}

/** The actor of what DataHub writes by itself (`SYSTEM_ACTOR` in its `Constants.java`). */
const systemUser = "urn:li:corpuser:__datahub_system";

/** The first user, as whom DataHub also writes by itself: only an attribution of the value proves that a person did. */
const defaultUser = "urn:li:corpuser:datahub";

/** Who wrote a value, or last edited what contains it, and on which day (UTC). Empty if unknown or DataHub itself. */
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
