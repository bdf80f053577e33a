import { expect, onTestFinished, test } from "vitest";
import { createWriter } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { execute } from "../../../src/sync/write/execute.ts";
import { datasetNamed } from "../../support/states.ts";
import { startStub } from "../../support/stub-server.ts";

function operationOf(id: string, more: Partial<Operation> = {}): Operation {
  return {
    id,
    request: { type: "mutation", field: "x", args: [] },
    locks: [datasetNamed(id)],
    after: [],
    changes: [],
    ...more,
  };
}

type Answer = "applied" | { readonly code: number } | { readonly status: number };

interface Executed {
  readonly outcomes: readonly string[];
  /** How many mutations each request had. */
  readonly sent: readonly number[];
  readonly told: readonly string[];
  readonly progress: readonly string[];
}

/** Executes operations; the requests are answered in turn, each mutation in the same way, and the last answer stays. */
async function executed(operations: readonly Operation[], ...answers: readonly Answer[]): Promise<Executed> {
  const sent: number[] = [];
  const server = await startStub(({ query }, response) => {
    const aliases = query.match(/o\d+(?=: )/g) ?? [];
    const answer = answers[Math.min(sent.push(aliases.length), answers.length) - 1] ?? "applied";
    if (answer === "applied") return { data: Object.fromEntries(aliases.map((alias) => [alias, true])) };
    if ("status" in answer) return void response.writeHead(answer.status).end("{}");
    const errors = aliases.map((alias) => ({
      message: "no",
      path: [alias],
      extensions: { code: answer.code },
    }));
    return { data: Object.fromEntries(aliases.map((alias) => [alias, null])), errors };
  });
  onTestFinished(() => server.close());
  const told: string[] = [];
  const progress: string[] = [];
  const onRetry = (text: string): void => void told.push(text.replaceAll(server.url, "URL"));
  const writer = createWriter(connectionTo(server.url, { token: "t", retryDelay: 1, onRetry }));
  const { outcomes } = await execute(writer, operations, {
    onProgress: (done, total) => progress.push(`${done}/${total}`),
  });
  const said = outcomes.map((each) => (each.status === "failed" ? each.error : each.status));
  return { outcomes: said, sent, told, progress };
}

test("what the server was too busy for is sent again, and says so", async () => {
  expect(await executed([operationOf("a"), operationOf("b")], { code: 503 }, "applied")).toEqual({
    outcomes: ["applied", "applied"],
    sent: [2, 2],
    told: ["Retrying 2 operations: no"],
    progress: ["0/2", "2/2"],
  });
});

test("what failed in the server is looked at once more, and not sent again", async () => {
  expect(await executed([operationOf("a")], { code: 501 })).toEqual({
    outcomes: ["no"],
    sent: [1],
    told: ["Checking 1 operation: no"],
    progress: ["0/1", "1/1"],
  });
});

test("what depends on what is looked at waits for that", async () => {
  const operations = [operationOf("a"), operationOf("b", { after: ["a"] })];
  expect(await executed(operations, { code: 501 })).toMatchObject({
    outcomes: ["no", "skipped"],
    sent: [1],
    told: ["Checking 2 operations: no"],
  });
});

test("where some are sent again and others looked at, it is a retry", async () => {
  const operations = [operationOf("a"), operationOf("b", { after: ["a"] })];
  const { told, outcomes } = await executed(operations, { code: 503 }, "applied");
  expect(outcomes).toEqual(["applied", "applied"]);
  expect(told).toEqual(["Retrying 2 operations: no"]);
});

test("what fails each time is sent five times", async () => {
  const { outcomes, sent, told } = await executed([operationOf("a")], { code: 503 });
  expect(sent).toEqual([1, 1, 1, 1, 1]);
  expect(told).toEqual([
    ...Array.from({ length: 4 }, () => "Retrying 1 operation: no"),
    "Checking 1 operation: no",
  ]);
  expect(outcomes).toEqual(["no"]);
});

test("an operation that nothing was sent for has an outcome", async () => {
  expect(await executed([])).toEqual({ outcomes: [], sent: [], told: [], progress: [] });
  const { outcomes } = await executed(
    [operationOf("a", { after: ["b"] }), operationOf("b", { after: ["a"] })].slice(0, 1),
  );
  expect(outcomes).toEqual(["applied"]);
});
