import type { RunningCatalog } from "../../src/local-catalog/server.ts";

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
  const response = await fetch(url + path, {
    method,
    headers: {
      "Content-Type": "application/json",
      "X-RestLi-Protocol-Version": "2.0.0",
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** A proposal as clients send it by Rest.li. */
export function change(entityUrn: string, aspectName: string, value: unknown, more: object = {}): object {
  return {
    entityType: entityUrn.split(":")[2],
    entityUrn,
    changeType: "UPSERT",
    aspectName,
    aspect: { value: JSON.stringify(value), contentType: "application/json" },
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
