import { once } from "node:events";
import { expect, test } from "vitest";
import type { AspectRow } from "../../src/local-catalog/server.ts";
import { call, change } from "./rest.ts";
import { served, type ServedCatalog } from "./served.ts";
import { catalogWith, proposal, send, temporaryDirectory } from "./support.ts";
import { runsOf } from "../support/runs.ts";

const writes = runsOf(500);
const clients = 16;

/** One of the datasets that many patches share. */
function sharedBy(index: number): string {
  return `urn:li:dataset:(urn:li:dataPlatform:x,shared${index % 16},PROD)`;
}
const tag = "urn:li:tag:storm";

function urnOf(index: number): string {
  return `urn:li:dataset:(urn:li:dataPlatform:x,t${index},PROD)`;
}

const kinds = ["proposal", "batch", "openapi", "patch", "mutation"] as const;

/** Sends one write; each leaves a trace of its own. Answers whether it was acknowledged. */
async function write(server: ServedCatalog, index: number): Promise<boolean> {
  const urn = urnOf(index);
  const description = `written by ${index}`;
  const properties = change(urn, "datasetProperties", { description });
  const kind = kinds[index % kinds.length]!;
  if (kind === "mutation") {
    const { data, errors } = await send(
      server,
      `mutation ($urn: String!) { addOwner(input: { ownerUrn: "urn:li:corpuser:datahub", ownerEntityType: CORP_USER, type: NONE, resourceUrn: $urn }) }`,
      { urn },
    );
    return data !== null && data !== undefined && errors === undefined;
  }
  const [method, path, body] = {
    proposal: ["POST", "/aspects?action=ingestProposal", { proposal: properties }],
    batch: [
      "POST",
      "/aspects?action=ingestProposalBatch",
      { proposals: [properties, change(urn, "globalTags", { tags: [{ tag }] })] },
    ],
    openapi: [
      "POST",
      "/openapi/v3/entity/dataset?async=false",
      [{ urn, datasetProperties: { value: { description } } }],
    ],
    patch: [
      "PATCH",
      `/openapi/v3/entity/dataset/${sharedBy(index)}/datasetProperties`,
      { patch: [{ op: "add", path: `/customProperties/${index}`, value: "there" }] },
    ],
  }[kind] as [string, string, unknown];
  return (await call(server, method, path, body)).status === 200;
}

/** Sends the writes from many clients at once; `acknowledged` learns of each that was answered well. */
async function storm(
  server: ServedCatalog,
  indices: readonly number[],
  acknowledged: (index: number) => void,
): Promise<void> {
  const waiting = [...indices];
  const client = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      if (await write(server, index)) acknowledged(index);
  };
  // A client stops with the first request that finds no server.
  await Promise.allSettled(Array.from({ length: clients }, client));
}

function traces(rows: readonly AspectRow[]): (index: number) => number {
  const latest = new Map(
    rows.filter(({ version }) => version === 0).map(({ urn, aspect, value }) => [`${urn} ${aspect}`, value]),
  );
  const patched = (index: number): object =>
    (latest.get(`${sharedBy(index)} datasetProperties`)?.["customProperties"] ?? {}) as object;
  const has = (index: number, aspect: string): number => Number(latest.has(`${urnOf(index)} ${aspect}`));
  return (index) => {
    const kind = kinds[index % kinds.length];
    if (kind === "patch") return Number(String(index) in patched(index));
    if (kind === "mutation") return has(index, "ownership");
    if (kind === "batch") return (has(index, "datasetProperties") + has(index, "globalTags")) / 2;
    return has(index, "datasetProperties");
  };
}

test(
  "kill -9 during many proposals and mutations loses nothing acknowledged and leaves nothing half done",
  { timeout: 600_000 },
  async () => {
    const dataDir = temporaryDirectory();
    const seeded = await catalogWith([proposal(tag, "tagProperties", { name: "Storm" })], { dataDir });
    await seeded.close();
    const all = Array.from({ length: writes }, (_, index) => index);
    const done = new Set<number>();

    const first = await served(dataDir);
    await storm(first, all, (index) => {
      done.add(index);
      if (done.size === Math.floor(writes / 2)) first.child.kill("SIGKILL");
    });
    const before = [...done];
    expect(before.length).toBeGreaterThanOrEqual(Math.floor(writes / 2));
    expect(before.length).toBeLessThan(writes);

    const second = await served(dataDir);
    await storm(
      second,
      all.filter((index) => !done.has(index)),
      (index) => done.add(index),
    );
    expect(done.size).toBe(writes);
    second.child.kill("SIGKILL");
    await once(second.child, "exit");

    const catalog = await catalogWith([], { dataDir });
    const rows = catalog.dump();
    const traceOf = traces(rows);
    expect(all.filter((index) => traceOf(index) !== 1)).toEqual([]);
    const keyed = new Set(rows.filter(({ aspect }) => aspect.endsWith("Key")).map(({ urn }) => urn));
    expect(rows.filter(({ urn }) => !keyed.has(urn))).toEqual([]);
  },
);

test(
  "acknowledged writes exist right after kill -9, and a batch exists completely or not at all",
  { timeout: 600_000 },
  async () => {
    const dataDir = temporaryDirectory();
    const server = await served(dataDir);
    const all = Array.from({ length: writes }, (_, index) => index);
    const done = new Set<number>();
    await storm(server, all, (index) => {
      done.add(index);
      if (done.size === Math.floor(writes / 3)) server.child.kill("SIGKILL");
    });
    const catalog = await catalogWith([], { dataDir });
    const traceOf = traces(catalog.dump());
    expect([...done].filter((index) => traceOf(index) !== 1)).toEqual([]);
    expect(all.filter((index) => ![0, 1].includes(traceOf(index)))).toEqual([]);
  },
);
