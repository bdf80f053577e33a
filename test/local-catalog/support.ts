import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, onTestFinished } from "vitest";
import {
  dumpAspects,
  startCatalog,
  type AspectRow,
  type CatalogOptions,
  type LoadSummary,
  type RunningCatalog,
} from "../../src/local-catalog/server.ts";
import { openTestCatalog } from "../support/catalog.ts";
import { sendText } from "../support/send-text.ts";

/** A GraphQL answer as it came over HTTP. */
export interface Answer {
  readonly status: number;
  readonly data?: Record<string, never> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Record<string, unknown>;
  }[];
}

/** A running catalog, which ends with the test. */
export interface TestCatalog extends RunningCatalog {
  /** Its data directory if it has one, else one for the files that it loads. It is removed when the test ends. */
  readonly dataDir: string;
  send(query: string, variables?: object): Promise<Answer>;
  loadRecords(...records: readonly object[]): Promise<LoadSummary>;
  /** The latest value of an aspect. */
  stored(urn: string, aspect: string): unknown;
  /** All versions of all aspects. */
  dump(): readonly AspectRow[];
}

/** A directory that is removed when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "local-catalog-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Who makes the requests, as where there is a token. */
const firstUser = "urn:li:corpuser:datahub";

/** Starts a catalog that contains these records: in memory, unless it has a data directory or asks for a token. */
export async function catalogWith(
  records: readonly object[] = [],
  options: Partial<CatalogOptions> = {},
): Promise<TestCatalog> {
  const started = await start(options.dataDir ?? temporaryDirectory(), options);
  onTestFinished(() => started.running.close());
  return filled(started, records);
}

/** Starts one catalog for all tests of the file or group that calls this; they get it from the answer. */
export function sharedCatalog(
  records: readonly object[],
  options: Partial<CatalogOptions> = {},
): () => TestCatalog {
  let catalog: TestCatalog | undefined;
  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "local-catalog-"));
    const started = await start(dataDir, options);
    catalog = await filled(started, records);
    return async () => {
      await started.running.close();
      rmSync(dataDir, { recursive: true, force: true });
    };
  });
  return () => {
    if (!catalog) throw new Error("the catalog starts before the first test, not earlier");
    return catalog;
  };
}

interface Started {
  readonly running: RunningCatalog;
  readonly dataDir: string;
  readonly dump: () => readonly AspectRow[];
}

async function start(dataDir: string, options: Partial<CatalogOptions>): Promise<Started> {
  if (options.dataDir !== undefined || options.auth === true) {
    const running = await startCatalog({ port: 0, auth: false, actor: firstUser, ...options, dataDir });
    return { running, dataDir, dump: () => dumpAspects(dataDir) };
  }
  const { catalog, close } = await openTestCatalog({ actor: firstUser, ...options });
  const { url, load, aspects } = catalog;
  const running = { url, load, close, id: "in memory", token: undefined, tokenFile: join(dataDir, "token") };
  return { running, dataDir, dump: aspects };
}

async function filled({ running, dataDir, dump }: Started, records: readonly object[]): Promise<TestCatalog> {
  const loadRecords = (...given: readonly object[]): Promise<LoadSummary> => {
    const file = join(dataDir, "records.json");
    writeFileSync(file, JSON.stringify(given));
    return running.load(file);
  };
  if (records.length > 0) await loadRecords(...records);
  return {
    ...running,
    dataDir,
    send: (query, variables) => send(running, query, variables),
    loadRecords,
    dump,
    stored: (urn, aspect) =>
      dump().find((row) => row.urn === urn && row.aspect === aspect && row.version === 0)?.value,
  };
}

/** Sends one GraphQL request. */
export async function send(
  { url, token }: Pick<RunningCatalog, "url" | "token">,
  query: string,
  variables?: object,
): Promise<Answer> {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const { status, text } = await sendText(
    new URL(`${url}/api/graphql`),
    { method: "POST", headers },
    JSON.stringify({ query, variables }),
  );
  // An answer without errors has empty ones.
  const { extensions: _, ...answer } = JSON.parse(text) as { readonly extensions?: object };
  return { status, ...answer };
}

/** What DataHub says of a server error: the reason, and the cause if that is another one. */
export function serverError(reason: string, cause = reason): string {
  return `java.lang.RuntimeException: ${reason}. Root cause: ${cause}`;
}

/** The record that writes one aspect. */
export function proposal(entityUrn: string, aspectName: string, json: object): object {
  const entityType = entityUrn.split(":")[2];
  return { entityType, entityUrn, changeType: "UPSERT", aspectName, aspect: { json } };
}

export const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.orders,PROD)";
export const missing = "urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.missing,PROD)";
export const folder = "urn:li:container:0a1b2c";
export const finance = "urn:li:domain:finance";
export const pii = "urn:li:tag:pii";
export const tier = "urn:li:tag:tier-1";
export const alice = "urn:li:corpuser:alice";
export const stewards = "urn:li:corpGroup:stewards";
export const custom = "urn:li:ownershipType:auditor";

/** A column of `schemaMetadata`. */
export function column(fieldPath: string, more: object = {}): object {
  return {
    fieldPath,
    type: { type: { "com.linkedin.schema.StringType": {} } },
    nativeDataType: "text",
    ...more,
  };
}

/** One dataset with two columns, a container, and one of everything that can be put on them. */
export const shop: readonly object[] = [
  proposal(orders, "status", { removed: false }),
  proposal(orders, "schemaMetadata", { fields: [column("id"), column("customer.email")] }),
  proposal(folder, "containerProperties", { name: "Shop" }),
  proposal(finance, "domainProperties", { name: "Finance" }),
  proposal(pii, "tagProperties", { name: "PII" }),
  proposal(tier, "tagProperties", { name: "Tier 1" }),
  proposal(alice, "corpUserInfo", { active: true, displayName: "Alice" }),
  proposal(stewards, "corpGroupInfo", { admins: [], members: [], groups: [] }),
  proposal(custom, "ownershipTypeInfo", { name: "Auditor" }),
];
