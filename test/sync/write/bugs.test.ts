import { expect, test } from "vitest";
import type { Writer } from "../../../src/datahub/client.ts";
import { execute } from "../../../src/sync/write/execute.ts";
import { datasetNamed } from "../../support/states.ts";
import { after, allTrue, operation, stub, writerFor } from "./stubbed.ts";

/** A client in which the sending of a mutation about one dataset has a bug. */
function withBug(url: string, name: string): Writer {
  const writer = writerFor(url);
  return {
    ...writer,
    mutate: (document, variables) => {
      if (JSON.stringify(variables).includes(`,${name},`)) throw new RangeError("a bug");
      return writer.mutate(document, variables);
    },
  };
}

test("a bug in the sending of one request is a failed outcome, and all else has its own", async () => {
  const url = await stub(allTrue);
  const operations = [operation("1", "a"), after(operation("2", "a"), "1"), operation("3", "b")];

  const { outcomes } = await execute(withBug(url, "a"), operations, { batch: 1 });

  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "skipped", "applied"]);
  expect(outcomes[0]).toMatchObject({
    error: expect.stringMatching(/^a bug in datahub-gitops: a bug; could not determine/),
  });
});

test("a bug in the reading before a write is a failed outcome", async () => {
  const url = await stub(allTrue);
  const writer: Writer = {
    ...writerFor(url),
    query: () => {
      throw new RangeError("a bug");
    },
  };
  const change = { action: "update", kind: "Dataset", urn: datasetNamed("a"), fingerprint: "" } as const;
  const domain = {
    ...change,
    shape: "scalar",
    facet: "domain",
    before: "urn:li:domain:x",
    after: null,
  } as const;

  const { outcomes } = await execute(writer, [{ ...operation("1", "a"), changes: [domain] }]);

  expect(outcomes).toMatchObject([{ status: "failed", error: expect.stringMatching(/^not sent: .*a bug$/) }]);
});
