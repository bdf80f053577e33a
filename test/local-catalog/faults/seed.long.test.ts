import { expect, test } from "vitest";
import { rateLimit } from "../../../src/local-catalog/faults/router.ts";
import type { Fault } from "../../../src/local-catalog/faults/settings.ts";
import { pii, tier } from "../support.ts";
import { addingTags, faultyCatalog } from "./support.ts";

const faults: readonly Fault[] = [
  { fault: "status", status: 503, rate: 0.2 },
  { fault: "reset", rate: 0.1 },
  { fault: "failed_alias", rate: 0.3 },
];

/** What becomes of thirty requests that are sent one after the other. */
async function answersWith(seed: number, some: readonly Fault[] = faults): Promise<readonly string[]> {
  const catalog = await faultyCatalog(some, { seed });
  const body = JSON.stringify({ query: addingTags([pii, tier]) });
  const answers: string[] = [];
  for (let index = 0; index < 30; index += 1)
    answers.push(
      await fetch(`${catalog.url}/api/graphql`, { method: "POST", body }).then(
        (response) => response.text(),
        () => "reset",
      ),
    );
  return answers;
}

test("the same seed gives the same faults, and another one gives others", async () => {
  const [first, again, other] = await Promise.all([answersWith(7), answersWith(7), answersWith(8)]);
  expect(first).toEqual(again);
  expect(first).not.toEqual(other);
  expect(new Set(first).size).toBe(5);
});

test("another rate of one fault does not move the others", async () => {
  const isReset = (answer: string): boolean => answer === "reset";
  const [once, more] = await Promise.all([
    answersWith(7, [{ fault: "truncated_body", rate: 0 }, ...faults.slice(1)]),
    answersWith(7, [{ fault: "failed_alias", rate: 1 }, ...faults.slice(1)]),
  ]);
  expect(once.map(isReset)).toEqual(more.map(isReset));
  expect(once.filter(isReset).length).toBeGreaterThan(0);
});

test("each fault has about as many requests as its rate says", async () => {
  const catalog = await faultyCatalog(
    [0, 0.2, 0.8, 1].map((rate) => ({ fault: "latency", milliseconds: 0, rate })),
  );
  for (let index = 0; index < 100; index += 1) await fetch(`${catalog.url}/config`);
  const [none = -1, some = -1, most = -1, all = -1] = (await catalog.report()).faults.map(
    ({ injected }) => injected,
  );
  expect([none, all]).toEqual([0, 100]);
  expect(some).toBeGreaterThan(8);
  expect(some).toBeLessThan(35);
  expect(most).toBeGreaterThan(65);
  expect(most).toBeLessThan(92);
});

test("a rate limit allows so many requests within any second, and says how long to wait", () => {
  const limit = rateLimit(2);
  const waits = [0, 100, 200, 999, 1_000, 1_050, 1_100, 2_000].map((time) => limit(time));
  expect(waits).toEqual([undefined, undefined, 800, 1, undefined, 50, undefined, undefined]);
});

test("a request beyond the rate limit is answered with 429 and Retry-After, and is not carried out", async () => {
  const catalog = await faultyCatalog([], { requests_per_second: 1 });
  // However slow the machine is, some of them arrive within a second.
  const body = JSON.stringify({ query: addingTags([pii]) });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => fetch(`${catalog.url}/api/graphql`, { method: "POST", body })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(50);
  for (const { headers } of refused) expect(headers.get("retry-after")).toBe("1");
  expect(await catalog.report()).toMatchObject({
    requests: { reads: 0, writes: 50 },
    refused_by_rate_limit: refused.length,
    writes: { mutations: 50 - refused.length },
  });
});
