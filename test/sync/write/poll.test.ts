import { expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { pollUntilDone } from "../../../src/sync/write/poll.ts";
import { urn } from "../../support/states.ts";

const tags = Array.from({ length: 5 }, (_, id) => urn(`urn:li:tag:${id}`));

/** Polls, with this many tags left each time and 0 after that; returns how often, and what was said. */
async function polled(...left: readonly number[]): Promise<object> {
  const said: string[] = [];
  let polls = 0;
  const readLeft = async (): Promise<readonly Urn[]> => tags.slice(0, left[polls++] ?? 0);
  await pollUntilDone({ retryDelay: 1 }, { onWait: (text) => said.push(text) }, "Waiting for", readLeft);
  return { polls, said };
}

test.each<readonly [string, readonly number[], object]>([
  ["nothing is left says nothing", [], { polls: 1, said: [] }],
  [
    "something is left says so once, and polls until it is gone",
    [3, 2, 1],
    { polls: 4, said: ["Waiting for urn:li:tag:0, urn:li:tag:1, urn:li:tag:2 (30 s at most)"] },
  ],
  [
    "more than three are left names three",
    [5],
    { polls: 2, said: ["Waiting for urn:li:tag:0, urn:li:tag:1, urn:li:tag:2 and 2 more (30 s at most)"] },
  ],
  [
    "something stays ends after 60 polls",
    Array.from({ length: 100 }, () => 1),
    { polls: 60, said: ["Waiting for urn:li:tag:0 (30 s at most)"] },
  ],
])("a poll where %s", async (_, left, expected) => {
  expect(await polled(...left)).toEqual(expected);
});

test("a poll ends with the error of a reading, and with the reason of a signal", async () => {
  const failing = async (): Promise<readonly Urn[]> => await Promise.reject(new Error("no"));
  await expect(pollUntilDone({ retryDelay: 1 }, {}, "", failing)).rejects.toThrow("no");
  const signal = AbortSignal.abort();
  const polls = pollUntilDone({ retryDelay: 60_000 }, { signal }, "", async () => tags);
  await expect(polls).rejects.toThrow("aborted");
});
