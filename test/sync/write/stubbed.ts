import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { createWriter, type Writer } from "../../../src/datahub/client.ts";
import { type ConnectionOptions, connectionTo } from "../../../src/datahub/connection.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { datasetNamed } from "../../support/states.ts";
import { startStub, type StubRequest } from "../../support/stub-server.ts";

/** An operation that takes the domain of a dataset away. */
export function operation(id: string, dataset: string): Operation {
  const entityUrn = { name: "entityUrn", type: "String!", value: datasetNamed(dataset) };
  return {
    id,
    request: { type: "mutation", field: "unsetDomain", args: [entityUrn] },
    locks: [datasetNamed(dataset)],
    after: [],
    changes: [],
  };
}

/** A client that tries again at once. */
export function writerFor(url: string, options: ConnectionOptions = {}): Writer {
  return createWriter(connectionTo(url, { token: "t0ken", timeout: 600_000, retryDelay: 1, ...options }));
}

/** The address of a server with these answers. */
export async function stub(answer: Parameters<typeof startStub>[0]): Promise<string> {
  const server = await startStub(answer);
  onTestFinished(() => server.close());
  return server.url;
}

/** Answers that each alias was carried out. */
export function allTrue({ variables }: StubRequest): object {
  return { data: Object.fromEntries(Object.keys(variables).map((name) => [name.split("_")[0], true])) };
}

/** An operation after others. */
export function after(own: Operation, ...before: readonly string[]): Operation {
  return { ...own, after: before };
}

/** A server that carries out nothing at first, and then all; `requests` tells what was asked of it. */
export async function failingFirst(times: number, fail: (response: ServerResponse) => void) {
  const requests: string[] = [];
  let left = times;
  const url = await stub((request, response) => {
    requests.push(Object.values(request.variables).map(nameOf).join());
    if (left === 0) return allTrue(request);
    left -= 1;
    fail(response);
    return undefined;
  });
  return { url, requests };
}

/** The name of a dataset. */
export function nameOf(dataset: unknown): string {
  return String(dataset).split(",")[1] ?? "";
}
