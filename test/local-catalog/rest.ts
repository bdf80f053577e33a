import type { RunningCatalog } from "../../src/local-catalog/server.ts";
import { sendText } from "../support/send-text.ts";
import { asciiJson } from "../support/ascii-json.ts";

/** A REST answer as it came over HTTP; an empty body is undefined. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Sends one REST request; `body` is sent as JSON, a string as it is. */
export async function call(
  { url, token }: Pick<RunningCatalog, "url" | "token">,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestAnswer> {
  const sent = {
    "content-type": "application/json",
    "x-restli-protocol-version": "2.0.0",
    ...(token && { authorization: `Bearer ${token}` }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const answer = await sendText(new URL(url + path), { method, headers: sent }, text);
  return { ...answer, body: answer.text === "" ? undefined : JSON.parse(answer.text) };
}

/** A proposal as clients send it by Rest.li. */
export function change(entityUrn: string, aspectName: string, value: unknown, more: object = {}): object {
  return {
    entityType: entityUrn.split(":")[2],
    entityUrn,
    changeType: "UPSERT",
    aspectName,
    aspect: { value: asciiJson(value), contentType: "application/json" },
    ...more,
  };
}

/** Sends one proposal by Rest.li. */
export function ingest(catalog: RunningCatalog, proposal: object): Promise<RestAnswer> {
  return call(catalog, "POST", "/aspects?action=ingestProposal", { proposal, async: "false" });
}

/** Sends a batch of proposals by Rest.li. */
export function ingestBatch(catalog: RunningCatalog, ...proposals: readonly object[]): Promise<RestAnswer> {
  return call(catalog, "POST", "/aspects?action=ingestProposalBatch", { proposals, async: "true" });
}
