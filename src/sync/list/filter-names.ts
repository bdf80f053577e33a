/** Resolves the names in list filters to ids and URNs, and suggests corrections for unknown names. */

import { canHaveDisplayName } from "../../facets/display-names.ts";
import { isAssetType, kindOfType, nounOfType } from "../../kinds/index.ts";
import { appendTo } from "../../model/append.ts";
import { urnOfId } from "../../model/identifier.ts";
import type { ListedEntity, ListFilter } from "../../model/listing.ts";
import type { State } from "../../model/state.ts";
import { nearest } from "../../model/text/suggestion.ts";
import { entityTypeOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { namesIn } from "../../plan/notes/names.ts";
import { namedAmong, type Nameable } from "../../plan/listing/names.ts";
import { readExistence } from "../read/existence.ts";
import { readNames } from "../read/names.ts";
import type { Abortable } from "../read/read-batches.ts";
import type { NamedEntities } from "../read/entity-source.ts";
import { missingEntry } from "../read/missing-entry.ts";
import { type NameQuery, queriesIn } from "./name-queries.ts";

/** A filter value that matches nothing or is ambiguous. */
export interface UnknownName {
  readonly option: string;
  readonly text: string;
  /** Nouns that describe the value in messages, such as `domain`. */
  readonly nouns: readonly string[];
  readonly suggestion?: string | undefined;
  readonly several?: readonly Urn[];
}

/** Sources for looking up names. */
export interface NameSource extends NamedEntities {
  readonly reader: Reader;
  /** The state that the manifests declare. */
  readonly declared: State;
  /**
   * Lists the entities that match a filter, such as all entities of a kind. The values of these entities may refer to missing
   * entities.
   */
  readonly listed: (only: Partial<ListFilter>) => AsyncIterable<ListedPart>;
}

interface ListedPart {
  readonly entities: readonly ListedEntity[];
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/**
 * Replaces names in a filter with ids and URNs. Accepts display names, and ignores case if the name is unambiguous. A name is
 * unknown if it matches nothing in the catalog, in the manifests, or in entity values.
 */
export async function withNames(
  filter: ListFilter,
  source: NameSource,
  options: Abortable,
): Promise<{ readonly filter: ListFilter; readonly unknown: readonly UnknownName[] }> {
  const unknown: UnknownName[] = [];
  const texts = new Map<string, readonly string[]>();
  for (const query of queriesIn(filter)) {
    const found = await foundTexts(query, source, options);
    texts.set(
      query.option,
      found.flatMap((each) => ("texts" in each ? each.texts : [])),
    );
    for (const each of found) if (!("texts" in each)) unknown.push(each);
  }
  const conditions = filter.conditions.map((each) => ({
    ...each,
    patterns: texts.get(each.key) ?? each.patterns,
  }));
  const values = new Map(
    [...filter.values].map(([facet, own]) => [
      facet,
      new Map([...own].map(([option, given]) => [option, texts.get(option) ?? given])),
    ]),
  );
  return { filter: { ...filter, conditions, values }, unknown };
}

type FoundText = { readonly texts: readonly string[] } | UnknownName;

async function foundTexts(
  query: NameQuery,
  source: NameSource,
  options: Abortable,
): Promise<readonly FoundText[]> {
  const named = query.texts.map((text) => partsOf(text, query));
  const urns = named.flatMap(({ name }) => urnsOf(name, query));
  const wanted = [...new Set(urns)].filter((urn) => !source.declared.has(urn));
  const existence = await readExistence(source.reader, wanted, options);
  const isThere = (urn: Urn): boolean => {
    const status = existence.get(urn)?.status;
    return source.declared.has(urn) || status === "present" || status === "soft-deleted";
  };
  const found: FoundText[] = [];
  for (const { text, name, rest } of named) {
    const isFound = isPattern(text) || isKnown(name, query) || urnsOf(name, query).some(isThere);
    if (isFound) found.push({ texts: [text] });
    else found.push(await resolveName({ text, name, rest }, query, source, options));
  }
  return found;
}

/** A filter value, split into a name and the part that starts with `=`. */
interface NameParts {
  readonly text: string;
  readonly name: string;
  readonly rest: string;
}

function partsOf(text: string, { takesValue }: NameQuery): NameParts {
  const at = takesValue ? text.indexOf("=") : -1;
  return at < 0 ? { text, name: text, rest: "" } : { text, name: text.slice(0, at), rest: text.slice(at) };
}

function isPattern(text: string): boolean {
  return text.includes("*");
}

function isKnown(name: string, { known }: NameQuery): boolean {
  return known.has(name) || (known.size > 0 && known.has(plainKeyOf(name as Urn)));
}

function urnsOf(name: string, { entityTypes }: NameQuery): readonly Urn[] {
  return entityTypes.flatMap((type) => {
    const result = urnOfId(type, name);
    return "urn" in result ? [result.urn] : [];
  });
}

/**
 * Resolves a filter value that is not an id. It can be a display name, a name in a different case, or a string in entity values.
 */
async function resolveName(
  { text, name, rest }: NameParts,
  query: NameQuery,
  source: NameSource,
  options: Abortable,
): Promise<FoundText> {
  const { option, known } = query;
  const nouns = query.entityTypes.length > 0 ? query.entityTypes.map(nounOf) : [nounOfKey(option)];
  const alike = [...known].filter((each) => each.toLowerCase() === name.toLowerCase());
  // The names of a custom platform and a built-in platform may differ only in capitalization.
  if (alike.length > 0) return { texts: [text, ...alike] };
  const all = await nameablesOf(query, source, options);
  const found = namedAmong(name, all);
  if (found.urn !== undefined) return { texts: [found.urn + rest] };
  if (found.several) return { option, text, nouns, several: found.several };
  const used = await usedTexts(query, source);
  if (used.isPartial || used.texts.has(name) || used.texts.has(text)) return { texts: [text] };
  const same = [...used.texts].filter((each) => each.toLowerCase() === name.toLowerCase());
  if (same.length === 1) return { texts: same.map((each) => each + rest) };
  const names = [...known, ...all.flatMap((each) => each.names), ...used.texts];
  return { option, text, nouns, suggestion: nearest(name, names.filter(isReadable)) };
}

/** Whether a name is readable enough to suggest. */
function isReadable(name: string): boolean {
  return !name.startsWith("urn:") && !name.startsWith("__system__") && !name.includes("=");
}

function nounOfKey(key: string): string {
  return key === "env" ? "environment" : key;
}

function nounOf(entityType: string): string {
  return entityType === "ownershipType" ? "ownership type" : nounOfType(entityType);
}

async function nameablesOf(
  { entityTypes }: NameQuery,
  { named, listed, declared, reader }: NameSource,
  options: Abortable,
): Promise<readonly Nameable[]> {
  const assets = await assetsNamed(entityTypes, listed);
  const live = (await Promise.all(entityTypes.map(named))).flat();
  const own = [...declared.keys()].filter((urn) => entityTypes.includes(entityTypeOf(urn)));
  const [liveNames, ownNames] = [
    await readNames(reader, live.filter(canHaveDisplayName), options),
    namesIn(declared, new Map()),
  ];
  const definitions = [...new Set([...live, ...own])].map((urn) => {
    const names = [urn, plainKeyOf(urn), ownNames.get(urn), liveNames.get(urn)?.trim()];
    return { urn, names: names.filter((each) => each !== undefined) };
  });
  return [...definitions, ...assets];
}

/** Lists assets that filters can refer to by name, such as containers. The listing already contains their names. */
async function assetsNamed(
  entityTypes: readonly string[],
  listed: NameSource["listed"],
): Promise<readonly Nameable[]> {
  const kinds = entityTypes.filter(isAssetType).flatMap((type) => kindOfType(type)?.name ?? []);
  const found: Nameable[] = [];
  if (kinds.length === 0) return found;
  for await (const { entities } of listed({ kinds }))
    appendTo(
      found,
      entities.map(({ urn, name }) => ({ urn, names: [urn, plainKeyOf(urn), name] })),
    );
  return found;
}

/** Collects the strings in existing values that the option can match. The result is partial if any entity could not be read. */
async function usedTexts(
  { any, textsOf }: NameQuery,
  { listed }: NameSource,
): Promise<{ readonly texts: ReadonlySet<string>; readonly isPartial: boolean }> {
  const texts = new Set<string>();
  let isPartial = false;
  for (const filter of any)
    for await (const { entities, unreadable } of listed(filter)) {
      isPartial ||= [...unreadable.values()].some((reason) => !reason.endsWith(missingEntry));
      for (const entity of entities) for (const text of textsOf(entity)) texts.add(text);
    }
  return { texts, isPartial };
}
