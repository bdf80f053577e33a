import { expect, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { readAssets } from "../../../src/sync/read/assets.ts";
import { withAllFacets } from "../../../src/sync/read/entities-to-read.ts";
import { readLive } from "../../../src/sync/read/live-state.ts";
import type { Asset, Rule } from "../../../src/model/rule.ts";
import { redacted, revealed } from "../../../src/sync/snapshot/redact.ts";
import { parseSnapshot, snapshotJson } from "../../../src/workflow/saved-snapshot.ts";
import type { Snapshot } from "../../../src/sync/snapshot/snapshot.ts";
import { snapshotReader } from "../../../src/sync/snapshot/snapshot-reader.ts";
import { takeSnapshot } from "../../../src/sync/snapshot/take-snapshot.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { ruleFor, withColumns } from "../../support/rules.ts";
import { urn } from "../../support/states.ts";

const dataset = (name: string, platform = "snowflake"): string =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;

const world: readonly MadeAspect[] = [
  [dataset("orders"), "container", { container: "urn:li:container:schema" }],
  [dataset("orders"), "schemaMetadata", schemaWith("id")],
  [dataset("of.alice@acme.com"), "schemaMetadata", schemaWith("email")],
  [dataset("clicks", "kafka"), "schemaMetadata", schemaWith("user")],
  [dataset("gone"), "status", { removed: true }],
  ["urn:li:container:schema", "container", { container: "urn:li:container:database" }],
  ["urn:li:container:database", "containerProperties", { name: "EU" }],
];

const onSnowflake = withColumns(ruleFor("Dataset", { platform: "snowflake" }));
const inDatabase = ruleFor("Dataset", { container: "database" });

async function readerOfWorld(): Promise<Reader> {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  return createReader(connectionTo(catalog.url));
}

const holds = (_: object, { platform }: Asset): boolean => platform === "snowflake";

async function take(reader: Reader, rules: readonly Rule[]): Promise<Snapshot> {
  const desired = { state: new Map(), references: [] };
  const header = { tool: "t/1", createdAt: "2026-01-01T00:00:00.000Z", target: "http://a" };
  const taken = await takeSnapshot(reader, { desired, deciding: { rules, holds } }, header);
  // As a file has it.
  const parsed = parseSnapshot(JSON.stringify(snapshotJson(taken)));
  if ("fault" in parsed) throw new Error(parsed.fault);
  return parsed.snapshot;
}

async function read(reader: Reader, rules: readonly Rule[]): Promise<readonly Asset[]> {
  const assets: Asset[] = [];
  for await (const batch of readAssets(reader, rules, { holds })) {
    expect(batch.unreadable).toEqual(new Map());
    assets.push(...batch.assets);
  }
  return assets;
}

test.each<readonly [string, readonly Rule[]]>([
  ["by their platform", [onSnowflake]],
  ["by what they are in", [inDatabase]],
  ["by nothing", [ruleFor("Dataset")]],
  ["of several rules and kinds", [onSnowflake, inDatabase, ruleFor("Container")]],
])("a snapshot answers the assets of rules %s as the server did", async (_, rules) => {
  const reader = await readerOfWorld();
  const snapshot = await take(reader, rules);
  const assets = await read(snapshotReader(snapshot), rules);
  expect(assets).toEqual(await read(reader, rules));
  expect(assets.length).toBeGreaterThan(0);
});

test("columns are there by themselves, so that rules can ask for those of fewer assets", async () => {
  const reader = await readerOfWorld();
  const snapshot = snapshotReader(await take(reader, [withColumns(ruleFor("Dataset"))]));
  const assets = await read(snapshot, [onSnowflake]);
  expect(assets.filter(({ platform }) => platform === "snowflake")).toEqual(
    await read(reader, [onSnowflake]),
  );
});

test("of assets that rules match there are soft-deleted ones, and columns that are only edited", async () => {
  const { entities } = await take(await readerOfWorld(), [onSnowflake]);
  expect(Object.keys(entities[dataset("gone")]?.answers ?? {})).toContain("ReadAssets");
  expect(entities[dataset("orders")]?.answers["ReadAssetColumns"]?.entity).toHaveProperty("edited");
});

test("a snapshot for no rules says nothing of them, and a rule is not in it", async () => {
  const snapshot = await take(await readerOfWorld(), []);
  expect(snapshot).not.toHaveProperty("found");
  await expect(read(snapshotReader(snapshot), [onSnowflake])).rejects.toThrow("it is not in the snapshot");
});

test("a snapshot answers other rules that ask for the same assets or fewer", async () => {
  const reader = await readerOfWorld();
  const some = snapshotReader(await take(reader, [onSnowflake, inDatabase]));
  await expect(read(some, [onSnowflake])).resolves.toHaveLength(2);
  await expect(read(some, [ruleFor("Dataset", { platform: "kafka" })])).rejects.toThrow(
    "not in the snapshot",
  );
  const all = snapshotReader(await take(reader, [ruleFor("Dataset")]));
  const kafka = await read(all, [ruleFor("Dataset", { platform: "kafka" })]);
  expect(kafka.map(({ name }) => name)).toContain("clicks");
});

test("all of an asset is held where a rule matches it, of others only by what rules match them", async () => {
  const snapshot = await take(await readerOfWorld(), [withColumns(ruleFor("Dataset"))]);
  const wanted = withAllFacets([dataset("orders"), dataset("clicks", "kafka")].map(urn));
  const live = await readLive(snapshotReader(snapshot), wanted);
  expect([...live.state.keys()]).toEqual([dataset("orders")]);
  expect([...live.unreadable]).toEqual([[dataset("clicks", "kafka"), "it is not in the snapshot"]]);
});

test("a redacted snapshot holds no address of what was found, and knows what rules name again", async () => {
  const reader = await readerOfWorld();
  const rule = ruleFor("Dataset", { name: "of.alice@acme.com", platform: "snowflake" });
  const snapshot = redacted(await take(reader, [rule]));
  expect(JSON.stringify(snapshot)).not.toContain("alice");
  const known = await read(snapshotReader(revealed(snapshot, [rule])), [rule]);
  expect(new Set(known.map(({ name }) => name))).toEqual(new Set(["of.alice@acme.com", "orders"]));
});
