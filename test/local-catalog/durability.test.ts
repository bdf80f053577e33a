import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dumpAspects, LocalCatalogError, startCatalog } from "../../src/local-catalog/server.ts";
import { openSqlite } from "../../src/local-catalog/store/sqlite/connection.ts";
import { served, type ServedCatalog } from "./served.ts";
import { alice, catalogWith, finance, orders, pii, send, shop, temporaryDirectory, tier } from "./support.ts";

async function killed({ child }: ServedCatalog): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

const addTag =
  "mutation ($tag: String!, $urn: String!) { addTags(input: { tagUrns: [$tag], resourceUrn: $urn }) }";

test("kill -9 between two acknowledged writes loses neither", async () => {
  const dataDir = temporaryDirectory();
  const seeded = await catalogWith(shop, { dataDir });
  await seeded.close();

  const first = await served(dataDir);
  expect((await send(first, addTag, { tag: pii, urn: orders })).data).toEqual({ addTags: true });
  await killed(first);

  const second = await served(dataDir);
  expect((await send(second, addTag, { tag: tier, urn: orders })).data).toEqual({ addTags: true });
  await killed(second);

  const third = await catalogWith([], { dataDir });
  expect(third.stored(orders, "globalTags")).toEqual({ tags: [{ tag: pii }, { tag: tier }] });
});

test("kill -9 during many writes loses none that was acknowledged, and leaves none half done", async () => {
  const dataDir = temporaryDirectory();
  const seeded = await catalogWith(shop, { dataDir });
  await seeded.close();
  const server = await served(dataDir);
  const urns = Array.from(
    { length: 400 },
    (_, index) => `urn:li:dataset:(urn:li:dataPlatform:x,t${index},PROD)`,
  );
  const acknowledged: string[] = [];
  const storm = Promise.allSettled(
    Array.from({ length: 8 }, async (_, client) => {
      for (let index = client; index < urns.length; index += 8) {
        const urn = urns[index]!;
        const { data } = await send(
          server,
          `mutation ($urn: String!) { addOwner(input: { ownerUrn: "${alice}", ownerEntityType: CORP_USER, type: NONE, resourceUrn: $urn }) }`,
          { urn },
        );
        if (data) acknowledged.push(urn);
        if (acknowledged.length === 100) server.child.kill("SIGKILL");
      }
    }),
  );
  await storm;
  expect(acknowledged.length).toBeGreaterThanOrEqual(100);
  expect(acknowledged.length).toBeLessThan(urns.length);

  const catalog = await catalogWith([], { dataDir });
  const rows = catalog.dump();
  const withAspect = (aspect: string) =>
    new Set(rows.filter((row) => row.aspect === aspect).map(({ urn }) => urn));
  const owned = withAspect("ownership");
  expect(acknowledged.filter((urn) => !owned.has(urn))).toEqual([]);
  const keys = withAspect("datasetKey");
  expect([...owned].filter((urn) => !keys.has(urn))).toEqual([]);
});

test("id, token and data stay with the data directory", async () => {
  const dataDir = temporaryDirectory();
  const first = await startCatalog({ dataDir, port: 0, auth: true });
  await first.close();
  const before = dumpAspects(dataDir);
  const second = await startCatalog({ dataDir, port: 0, auth: true });
  await second.close();
  expect([second.id, second.token]).toEqual([first.id, first.token]);
  expect(dumpAspects(dataDir)).toEqual(before);
  const other = await catalogWith([], { auth: true });
  expect(other.id).not.toBe(first.id);
  expect(other.token).not.toBe(first.token);
});

test("only the owner can read the token, even after its mode was changed", async () => {
  const dataDir = join(temporaryDirectory(), "new", "directory");
  const first = await startCatalog({ dataDir, port: 0, auth: true });
  await first.close();
  expect(first.tokenFile).toBe(join(dataDir, "token"));
  expect(readFileSync(first.tokenFile, "utf8")).toBe(`${first.token}\n`);
  expect(statSync(first.tokenFile).mode & 0o777).toBe(0o600);
  chmodSync(first.tokenFile, 0o644);
  const second = await catalogWith([], { dataDir, auth: true });
  expect(second.token).toBe(first.token);
  expect(statSync(first.tokenFile).mode & 0o777).toBe(0o600);
});

test("an empty token file gets a token", async () => {
  const dataDir = temporaryDirectory();
  writeFileSync(join(dataDir, "token"), "");
  const { token } = await catalogWith([], { dataDir, auth: true });
  expect(token).toMatch(/^[0-9a-f]{64}$/);
});

test("a given token is used and not stored, and without authentication there is none", async () => {
  const given = await catalogWith([], { auth: true, token: "given" });
  expect([given.token, existsSync(given.tokenFile)]).toEqual(["given", false]);
  const open = await catalogWith([], { dataDir: temporaryDirectory() });
  expect([open.token, existsSync(open.tokenFile)]).toEqual([undefined, false]);
});

test("an empty given token is ignored", async () => {
  const { token } = await catalogWith([], { auth: true, token: "" });
  expect(token).toMatch(/^[0-9a-f]{64}$/);
});

test("a directory without a catalog cannot be dumped, and remains empty", () => {
  const dataDir = temporaryDirectory();
  expect(() => dumpAspects(dataDir)).toThrow(`${dataDir} does not contain a catalog.`);
  expect(readdirSync(dataDir)).toEqual([]);
});

test("a new catalog contains the system ownership types and the first user, and nothing else", async () => {
  const catalog = await catalogWith();
  const urns = new Set(catalog.dump().map(({ urn }) => urn));
  expect([...urns]).toEqual([
    "urn:li:corpuser:datahub",
    "urn:li:ownershipType:__system__business_owner",
    "urn:li:ownershipType:__system__data_steward",
    "urn:li:ownershipType:__system__none",
    "urn:li:ownershipType:__system__technical_owner",
  ]);
});

test("a data directory in use is rejected by name, and free again when its catalog closes", async () => {
  const dataDir = temporaryDirectory();
  const catalog = await catalogWith([], { dataDir });
  await expect(startCatalog({ dataDir, port: 0, auth: false })).rejects.toThrow(
    `The data directory ${dataDir} is in use by another process.`,
  );
  await catalog.close();
  await catalogWith([], { dataDir });
});

test("a data directory in use by another process is rejected, and free again when that is killed", async () => {
  const dataDir = temporaryDirectory();
  const server = await served(dataDir);
  await expect(startCatalog({ dataDir, port: 0, auth: false })).rejects.toThrow(
    "is in use by another process",
  );
  await killed(server);
  await catalogWith([], { dataDir });
});

test("a data directory that cannot be created is rejected by name", async () => {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");
  const starting = startCatalog({ dataDir: join(file, "data"), port: 0, auth: false });
  await expect(starting).rejects.toThrow(`The data directory ${join(file, "data")} cannot be used (ENOTDIR`);
});

test("a data directory that is not writable, even for root, is rejected by name", async () => {
  const starting = startCatalog({ dataDir: "/sys/catalog", port: 0, auth: false });
  await expect(starting).rejects.toThrow("The data directory /sys/catalog cannot be used");
});

test("an invalid database is rejected with its data directory", async () => {
  const dataDir = temporaryDirectory();
  writeFileSync(join(dataDir, "catalog.db"), "not a database".repeat(100));
  const starting = startCatalog({ dataDir, port: 0, auth: false });
  await expect(starting).rejects.toThrow(
    `The data directory ${dataDir} cannot be used (file is not a database)`,
  );
});

test("a database of a newer version is rejected, and not changed", async () => {
  const dataDir = temporaryDirectory();
  const catalog = await catalogWith([], { dataDir });
  await catalog.close();
  const database = openSqlite(join(dataDir, "catalog.db"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  await expect(startCatalog({ dataDir, port: 0, auth: false })).rejects.toThrow("written by a newer version");
});

test("a taken port is rejected by number, and the data directory is free again", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const dataDir = temporaryDirectory();
  const starting = startCatalog({ dataDir, port, auth: false });
  await expect(starting).rejects.toThrow(`Port ${port} is already in use.`);
  await expect(starting).rejects.toBeInstanceOf(LocalCatalogError);
  await catalogWith([], { dataDir });
});

test("sixteen concurrent clients leave the same state as sequential ones", async () => {
  const catalog = await catalogWith(shop);
  const tags = Array.from({ length: 16 }, (_, index) => `urn:li:tag:t${index}`);
  await catalog.loadRecords(
    ...tags.map((entityUrn) => ({
      entityType: "tag",
      entityUrn,
      changeType: "UPSERT",
      aspectName: "tagProperties",
      aspect: { json: { name: "x" } },
    })),
  );
  await Promise.all(tags.map((tag) => catalog.send(addTag, { tag, urn: orders })));
  const { tags: stored } = catalog.stored(orders, "globalTags") as { tags: { tag: string }[] };
  expect(stored.map(({ tag }) => tag).toSorted()).toEqual(tags.toSorted());
  expect(catalog.stored(finance, "globalTags")).toBeUndefined();
});

test("a catalog with a damaged page does not start, and says what to do", async () => {
  const dataDir = temporaryDirectory();
  const catalog = await catalogWith(shop, { dataDir });
  await catalog.close();
  const file = join(dataDir, "catalog.db");
  const bytes = readFileSync(file);
  // The first page has the tables, the pages behind it have the rows.
  bytes.fill(0xab, 4096);
  writeFileSync(file, bytes);
  const starting = startCatalog({ dataDir, port: 0, auth: false });
  await expect(starting).rejects.toThrow(/catalog\.db is damaged \(.+\)\. Restore it from a backup, or/);
  await expect(starting).rejects.toBeInstanceOf(LocalCatalogError);
});

test("a data directory behind a link that leads out of the working directory is not used", async () => {
  const [root, outside] = [temporaryDirectory(), temporaryDirectory()];
  symlinkSync(outside, join(root, "link"));
  for (const dataDir of [join(root, "link"), join(root, "link", "new")]) {
    const starting = startCatalog({ dataDir, root, port: 0, auth: false });
    await expect(starting).rejects.toThrow(
      `because the symbolic link ${join(root, "link")} points elsewhere`,
    );
  }
  expect(readdirSync(outside)).toEqual([]);
});

test("a data directory behind a link that leads out of a repository is not used, wherever one works", async () => {
  const [root, outside] = [temporaryDirectory(), temporaryDirectory()];
  mkdirSync(join(root, ".git"));
  symlinkSync(outside, join(root, "link"));
  const starting = startCatalog({ dataDir: join(root, "link"), port: 0, auth: false });
  await expect(starting).rejects.toThrow("points elsewhere");
  expect(readdirSync(outside)).toEqual([]);
});

test("a link that stays in the working directory is followed", async () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, "data"));
  symlinkSync("data", join(root, "link"));
  await catalogWith([], { dataDir: join(root, "link"), root });
  expect(readdirSync(join(root, "data"))).toContain("catalog.db");
});

test.each(["catalog.db", "lock.db", "catalog.db-wal"])(
  "a link in place of %s is not followed",
  async (name) => {
    const [dataDir, outside] = [temporaryDirectory(), temporaryDirectory()];
    symlinkSync(join(outside, "target"), join(dataDir, name));
    const starting = startCatalog({ dataDir, port: 0, auth: false });
    await expect(starting).rejects.toThrow(`the symbolic link ${join(dataDir, name)} points elsewhere`);
    expect(readdirSync(outside)).toEqual([]);
  },
);
