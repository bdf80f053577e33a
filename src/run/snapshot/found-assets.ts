import type { Reader } from "../../datahub/client.ts";
import { columnsDocument, factsDocument, parentsDocument } from "../read/assets/facts.ts";
import { foundAssets, readAssets } from "../read/assets.ts";
import { discoverDocument } from "../read/discover.ts";
import { foundUrn } from "../read/found-urn.ts";
import { type Question, questionOf, readBatches, type ReadOptions } from "../read/read-batches.ts";
import { assetKinds, containing } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import { canonicalJson, isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Asset, Rule } from "../../model/rule.ts";
import type { Entity, State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { askedIn, type FoundEntities, type Held } from "./snapshot.ts";
import { snapshotReader } from "./snapshot-reader.ts";

/** What rules need of a catalog. */
interface FoundForRules {
  /** What the index names for them. */
  readonly found: readonly FoundEntities[];
  /** By what they match it. */
  readonly held: ReadonlyMap<Urn, Held>;
  /** The assets that at least one of them matches. */
  readonly matched: readonly Urn[];
}

/** Rules, and how one decides about an asset whose columns may not be known. */
export interface Deciding {
  readonly rules: readonly Rule[];
  readonly holds: (rule: Rule, asset: Asset) => boolean;
}

/** Rules, and what documents declare beside them. */
interface Wanted extends Deciding {
  readonly declared: State;
}

/**
 * Reads what rules need of a catalog: of all that is found or declared what they match by, and columns of those of which a
 * rule that matches them or a document declares some. Throws `CatalogError` where the catalog cannot be asked, and the reason
 * of a signal.
 */
export async function readFound(
  reader: Reader,
  { rules, holds, declared }: Wanted,
  { onProgress: _, ...options }: ReadOptions,
): Promise<FoundForRules> {
  const found = new Map<string, FoundEntities>();
  const held = new Map<Urn, Held>();
  const read = async (urns: readonly Urn[], document: string): Promise<void> =>
    readInto(held, reader, questionOf(urns, document), options);
  for await (const { kind, urns } of foundAssets(noting(reader, found), rules, options))
    await read(urns, factsDocument(kind));
  for (const kind of assetKinds) {
    const own = [...declared.values()].filter((entity) => entity.kind === kind.name && !held.has(entity.urn));
    await read(
      own.map(({ urn }) => urn),
      factsDocument(kind),
    );
  }
  for (let level = parentsIn(held.values()); level.length > 0;) {
    const fresh = level.filter((urn) => !held.has(urn));
    await read(fresh, parentsDocument(containing));
    level = parentsIn(fresh.flatMap((urn) => held.get(urn) ?? []));
  }
  const known = { found: [...found.values()], fields: [], entities: Object.fromEntries(held) };
  const matched = await matchedIn(snapshotReader(known), { rules, holds });
  const asking = matched.flatMap(({ asset, isAsking }) => (isAsking ? [asset] : []));
  for (const kind of assetKinds.filter(({ matching }) => matching?.columns !== undefined)) {
    const own = [...asking, ...[...declared.values()].filter(declaresColumns)].filter(isOf(kind));
    await read([...new Set(own.map(({ urn }) => urn))], columnsDocument(kind, true));
  }
  return { found: known.found, held, matched: matched.map(({ asset }) => asset.urn) };
}

function declaresColumns({ facets }: Entity): boolean {
  return [...facets.values()].some(({ shape }) => shape === "map");
}

function isOf({ name }: Kind): (entity: Pick<Entity, "kind">) => boolean {
  return ({ kind }) => kind === name;
}

async function readInto(
  held: Map<Urn, Held>,
  reader: Reader,
  question: Question,
  options: ReadOptions,
): Promise<void> {
  await readBatches(reader, [question], options, (urn, { entity, error }) => {
    const before = held.get(urn)?.entity;
    held.set(urn, {
      exists: null,
      entity: entity ? { ...before, ...entity } : (before ?? null),
      ...(error !== undefined && { error }),
    });
  });
}

function parentsIn(held: Iterable<Held>): readonly Urn[] {
  const parents = [...held].map(({ entity }) => {
    const container = entity?.["container"];
    return isJsonObject(container) ? container["urn"] : undefined;
  });
  return [...new Set(parents.filter(isUrn))];
}

interface Matched {
  readonly asset: Asset;
  /** Whether a rule that matches it declares something of columns. */
  readonly isAsking: boolean;
}

async function matchedIn(reader: Reader, { rules, holds }: Deciding): Promise<readonly Matched[]> {
  const matched: Matched[] = [];
  const questions = rules.map((rule) => ({ ...rule, columns: [] }));
  for await (const { assets, away } of readAssets(reader, questions, { withAway: true })) {
    for (const asset of [...assets, ...away]) {
      const its = rules.filter((rule) => rule.kind === asset.kind && holds(rule, asset));
      if (its.length > 0) matched.push({ asset, isAsking: its.some(({ columns }) => columns.length > 0) });
    }
  }
  return matched;
}

/** A reader that notes what the index names, and for which question. */
function noting(reader: Reader, found: Map<string, FoundEntities>): Reader {
  return {
    ...reader,
    query: async (document, variables, interrupted) => {
      const answer = await reader.query(document, variables, interrupted);
      const { input } = variables;
      if (document === discoverDocument && isJsonObject(input)) note(input, answer.data, found);
      return answer;
    },
  };
}

function note(input: JsonObject, data: JsonObject | null, found: Map<string, FoundEntities>): void {
  const asked = askedIn(input);
  const key = canonicalJson(asked);
  const page = data?.["scrollAcrossEntities"];
  const results = isJsonObject(page) && isJsonList(page["searchResults"]) ? page["searchResults"] : [];
  const urns = [...(found.get(key)?.urns ?? [])];
  appendTo(
    urns,
    results.flatMap((result) => foundUrn(result) ?? []),
  );
  found.set(key, { ...asked, urns });
}
