import { setTimeout as wait } from "node:timers/promises";
import { isJsonObject, type Json, type JsonObject, textOf } from "../../src/model/json.ts";
import { asciiJson } from "../support/ascii-json.ts";

/** An answer of the server: its status, and its body where that is JSON. */
interface Answered {
  readonly status: number;
  readonly body: Json | undefined;
}

/** A catalog without the tool between: what the acceptance writes and reads by itself. Failures are errors. */
export interface StoredCatalog {
  readonly address: string;
  /** Sends a request: without a body it reads. */
  readonly ask: (path: string, body?: Json) => Promise<Answered>;
  /** What is stored of an entity, by aspect: not the key, which servers derive from any URN. */
  readonly aspects: (urn: string) => Promise<Readonly<Record<string, JsonObject>>>;
  /** Writes a whole aspect, before it answers. */
  readonly propose: (urn: string, aspect: string, value: JsonObject) => Promise<void>;
  /** Changes an aspect by a JSON Patch, before it answers. */
  readonly patch: (urn: string, aspect: string, patch: Json) => Promise<void>;
  /**
   * Writes an aspect that is stored once more, as it is, on the condition that it is. Throws where the answer does not say that
   * this was done: the tool may have found that it was written all the same.
   */
  readonly confirm: (urn: string, aspect: string) => Promise<void>;
  /** Carries out a GraphQL document. */
  readonly graphql: (document: string, variables: JsonObject) => Promise<JsonObject>;
  /** Deletes all that is stored of an entity. One that is not there is no error. */
  readonly remove: (urn: string) => Promise<void>;
}

/** What a proposal writes: a whole aspect, or a JSON Patch of it, perhaps for one version only. */
interface Written {
  readonly value?: Json;
  readonly patch?: Json;
  readonly version?: string;
}

/** A metadata change proposal. */
export function proposalOf(urn: string, aspectName: string, { value, patch, version }: Written): JsonObject {
  return {
    entityType: urn.split(":")[2] ?? "",
    entityUrn: urn,
    changeType: patch === undefined ? "UPSERT" : "PATCH",
    aspectName,
    aspect: {
      value: asciiJson(patch ?? value),
      contentType: patch === undefined ? "application/json" : "application/json-patch+json",
    },
    ...(version !== undefined && { headers: { "If-Version-Match": version } }),
  };
}

/** A catalog at an address. What is written is there to be read, after so many milliseconds. */
export function storedCatalog(address: string, token: string | undefined, readLag = 0): StoredCatalog {
  const headers = {
    "content-type": "application/json",
    "x-restli-protocol-version": "2.0.0",
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const ask: StoredCatalog["ask"] = async (path, body) => {
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(address + path, { headers, ...sent, signal: AbortSignal.timeout(90_000) });
    const answered = { status: response.status, body: parsed(await response.text()) };
    if (/[?]action=(?:ingest|delete)/.test(path)) await wait(readLag);
    return answered;
  };
  const objectFrom = async (path: string, body?: Json): Promise<JsonObject> => {
    const { status, body: answered } = await ask(path, body);
    if (status === 200 && isJsonObject(answered)) return answered;
    throw new Error(
      `${path.split("?")[0]} answered HTTP ${status}: ${JSON.stringify(answered)?.slice(0, 300)}`,
    );
  };
  const send = async (proposal: JsonObject): Promise<void> => {
    const answer = await objectFrom("/aspects?action=ingestProposal", { proposal, async: "false" });
    const told = answer["value"];
    if (told === "success" || told === proposal["entityUrn"]) return;
    throw new Error(
      `a proposal of ${textOf(proposal["aspectName"])} was answered with ${JSON.stringify(told)}`,
    );
  };
  return {
    address,
    ask,
    aspects: async (urn) => {
      const { status, body } = await ask(`/entitiesV2/${encodeURIComponent(urn)}`);
      if (status === 404) return {};
      const aspects = isJsonObject(body) && body["urn"] === urn ? body["aspects"] : undefined;
      if (isJsonObject(aspects)) return valuesIn(aspects);
      throw new Error(`entitiesV2 answered HTTP ${status} for ${urn}, without its aspects`);
    },
    propose: (urn, aspect, value) => send(proposalOf(urn, aspect, { value })),
    patch: (urn, aspect, patch) => send(proposalOf(urn, aspect, { patch })),
    confirm: async (urn, aspect) => {
      const { body } = await ask(`/entitiesV2/${encodeURIComponent(urn)}?aspects=List(${aspect})`);
      const all = isJsonObject(body) && isJsonObject(body["aspects"]) ? body["aspects"] : {};
      const envelope = all[aspect];
      if (!isJsonObject(envelope)) return;
      const { value = null, systemMetadata: system } = envelope;
      const version = isJsonObject(system) ? system["version"] : undefined;
      await send(
        proposalOf(urn, aspect, {
          value,
          version: `${typeof version === "number" ? version : textOf(version ?? "1")}`,
        }),
      );
    },
    graphql: async (query, variables) => {
      const { data, errors } = await objectFrom("/api/graphql", { query, variables });
      if (query.startsWith("mutation")) await wait(readLag);
      if (errors === undefined && isJsonObject(data)) return data;
      throw new Error(`GraphQL answered ${JSON.stringify(errors)?.slice(0, 300) ?? "no data"}`);
    },
    remove: async (urn) => {
      await objectFrom("/entities?action=delete", { urn });
    },
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function valuesIn(aspects: JsonObject): Readonly<Record<string, JsonObject>> {
  const entries = Object.entries(aspects).flatMap(([name, envelope]) => {
    const value = isJsonObject(envelope) ? envelope["value"] : undefined;
    return isJsonObject(value) && !name.endsWith("Key") ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The release that a server tells. Throws where it is no DataHub. */
export async function releaseOf({ ask, address }: StoredCatalog): Promise<string> {
  const { body } = await ask("/config");
  const config = isJsonObject(body) ? body : {};
  if (config["noCode"] !== "true") throw new Error(`${address} is not a DataHub metadata service`);
  const versions = isJsonObject(config["versions"]) ? config["versions"] : {};
  const core = versions["acryldata/datahub"];
  const version = isJsonObject(core) ? core["version"] : undefined;
  return typeof version === "string" ? version : "unknown";
}
