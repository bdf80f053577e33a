import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import type { CatalogPolicy } from "../../../src/model/catalog-policy.ts";
import type { Change } from "../../../src/model/change.ts";
import type { ListFilter } from "../../../src/model/listing.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { plannedEntities } from "../../../src/plan/listing/planned.ts";
import { type ListedBatch, listEntities, type ListOptions } from "../../../src/sync/list/list-entities.ts";
import { where } from "../../support/assets.ts";
import {
  change,
  clicks,
  columns,
  hasDomain,
  isDescribed,
  nothingDeclared,
  orders,
  pii,
  readerOfWorld,
} from "../policies/world.ts";

interface Listing {
  readonly filter?: Partial<ListFilter>;
  readonly policies?: readonly CatalogPolicy[];
  readonly options?: ListOptions;
  readonly failing?: Parameters<typeof readerOfWorld>[0];
  /** An entity that is answered with an error where its columns are asked for. */
  readonly withoutColumns?: Urn;
}

/** The batches of a list of datasets and tags, and the signals and names of the queries. */
async function batchesOf({ filter, policies = [], options = {}, failing = {}, withoutColumns }: Listing) {
  const reader = await readerOfWorld(failing);
  const queries: string[] = [];
  const signals: unknown[] = [];
  const query: Reader["query"] = async (document, variables, signal) => {
    queries.push(/^query (\w+)/.exec(document)?.[1] ?? "");
    signals.push(signal);
    const answer = await reader.query(document, variables, signal);
    const index = ((variables["urns"] ?? []) as readonly unknown[]).indexOf(withoutColumns);
    if (index < 0 || !document.includes("schemaMetadata")) return answer;
    return { ...answer, errors: [...answer.errors, { message: "no", path: ["entities", index] }] };
  };
  const pages = ({ name }: { readonly name: string }): readonly (readonly Urn[])[] =>
    name === "Dataset" ? [[orders, clicks]] : [[pii]];
  const all = { kinds: ["Dataset"], conditions: [], values: new Map(), missing: [], ...filter };
  const given = { ...nothingDeclared, policies, waivers: [] };
  const batches: ListedBatch[] = [];
  for await (const batch of listEntities({ reader: { ...reader, query }, pages }, given, all, options))
    batches.push(batch);
  return { batches, queries, signals };
}

const urnsIn = ({ batches }: { readonly batches: readonly ListedBatch[] }): readonly Urn[] =>
  batches.flatMap(({ entities }) => entities.map(({ urn }) => urn));

test("entities without a value are listed by what was read of them", async () => {
  expect(urnsIn(await batchesOf({ filter: { missing: ["domain"] } }))).toEqual([clicks]);
  expect(urnsIn(await batchesOf({ filter: { isDeclared: true } }))).toEqual([]);
});

test("a batch has verdicts only where there are policies", async () => {
  const { batches } = await batchesOf({});
  expect(batches).toHaveLength(1);
  expect(batches[0]).not.toHaveProperty("policies");
  const judged = await batchesOf({ policies: [hasDomain] });
  expect(judged.batches[0]?.policies).toEqual([{ id: "domain", matched: 2, passes: 1 }]);
});

test("what a plan creates of the kinds that are listed is a batch of its own", async () => {
  const creating = (of: string, kind: string): Change =>
    change(of as Urn, kind, { action: "create", shape: "entity" });
  const planned = (...changes: readonly Change[]): ListOptions => ({
    planned: plannedEntities({ changes } as never),
  });
  const tags = { kinds: ["Tag"] };
  const user = creating("urn:li:corpuser:new", "User");
  expect((await batchesOf({ filter: tags, options: planned(user) })).batches).toHaveLength(1);
  const both = planned(user, creating("urn:li:tag:new", "Tag"));
  const { batches } = await batchesOf({ filter: tags, options: both });
  expect(batches).toHaveLength(2);
  expect(batches[1]?.entities).toMatchObject([
    { urn: "urn:li:tag:new", name: "new", violates: [], declaredBy: { documents: false, rules: false } },
  ]);
  expect(batches[1]?.unreadable.size).toBe(0);
});

test("what policies alone ask and cannot be read does not hide an entity", async () => {
  const { batches } = await batchesOf({ policies: [columns], withoutColumns: clicks });
  expect(urnsIn({ batches })).toEqual([orders, clicks]);
  expect(batches.map(({ unreadable }) => [...unreadable])).toEqual([
    [[clicks, expect.stringContaining(`policy ${columns.id}: `)]],
  ]);
});

test("an entity that cannot be read is asked for again only where policies asked for more", async () => {
  const failing = { ReadAssets: [clicks] };
  const alone = await batchesOf({ failing });
  const all = await batchesOf({});
  expect(alone.queries).toEqual(all.queries);
  expect(alone.batches.map(({ unreadable }) => [...unreadable.keys()])).toEqual([[clicks]]);
  const judged = await batchesOf({ policies: [hasDomain] });
  expect(judged.queries).toEqual(all.queries);
});

test("definitions are judged by what was read for the list", async () => {
  const filter = { kinds: ["Tag"] };
  const { queries } = await batchesOf({ filter });
  const judged = await batchesOf({ filter, policies: [isDescribed] });
  expect(judged.queries).toEqual(queries);
  expect(judged.batches[0]?.entities).toMatchObject([{ urn: pii, violates: ["described"] }]);
});

test("each query ends with the signal", async () => {
  const { signal } = new AbortController();
  const options = { signal, readsContaining: true };
  const filter = { kinds: ["Dataset"], conditions: [where("name", "*")], byColumn: true };
  const { signals } = await batchesOf({ filter, options, policies: [hasDomain] });
  const definitions = await batchesOf({ filter: { kinds: ["Tag"] }, options });
  expect(new Set([...signals, ...definitions.signals])).toEqual(new Set([signal]));
});
