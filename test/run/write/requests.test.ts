import fc from "fast-check";
import { expect, test } from "vitest";
import { requestsOf } from "../../../src/run/write/requests.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { datasetNamed, urn } from "../../support/states.ts";

function operation(id: string, name: string, isProposal = false): Operation {
  const proposal = { type: "proposal", urn: urn(`urn:li:tag:${name}`), aspect: "x", initial: {}, set: {} };
  const mutation = { type: "mutation", field: "unsetDomain", args: [] };
  return {
    id,
    request: (isProposal ? proposal : mutation) as Operation["request"],
    locks: [datasetNamed(name)],
    after: [],
    changes: [],
  };
}

const operations = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.boolean()))
  .map((drawn) => drawn.map(([name, isProposal], index) => operation(`${index}`, name, isProposal)));

test("every operation is sent once, an entity's mutations in their order, each proposal alone, no request above the size", () => {
  fc.assert(
    fc.property(operations, fc.integer({ min: 1, max: 4 }), (all, size) => {
      const requests = requestsOf(all, size);
      expect(
        requests
          .flat()
          .map(({ id }) => Number(id))
          .toSorted((a, b) => a - b),
      ).toEqual(all.map((_, index) => index));
      for (const request of requests) {
        const isAlone = request.some((each) => each.request.type === "proposal");
        expect(request.length).toBeLessThanOrEqual(isAlone ? 1 : size);
      }
      const mutations = requests.flat().filter(({ request }) => request.type === "mutation");
      for (const lock of new Set(all.flatMap(({ locks }) => locks))) {
        const ids = mutations.filter(({ locks }) => locks.includes(lock)).map(({ id }) => Number(id));
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 1000 },
  );
});

test("the mutations of an entity stay in one request where they fit", () => {
  const all = ["a", "a", "b", "b", "b", "c"].map((name, index) => operation(`${index}`, name));
  const names = requestsOf(all, 3).map((request) => request.map(({ locks }) => locks[0]));
  expect(names).toEqual([
    ["a", "a"].map(datasetNamed),
    ["b", "b", "b"].map(datasetNamed),
    ["c"].map(datasetNamed),
  ]);
});

test("an entity with more mutations than fit has requests that follow each other", () => {
  const many = Array.from({ length: 5 }, (_, index) => operation(`${index}`, "a"));
  expect(requestsOf(many, 2).map((request) => request.length)).toEqual([2, 2, 1]);
});

test("a request does not grow beyond what gateways take, and one that is larger by itself is sent alone", () => {
  const sized = (id: string, name: string, characters: number): Operation => {
    const args = [{ name: "input", type: "AddTagsInput!", value: "x".repeat(characters) }];
    return { ...operation(id, name), request: { type: "mutation", field: "addTags", args } };
  };
  const all = [
    sized("1", "a", 300_000),
    sized("2", "a", 300_000),
    sized("3", "b", 9),
    sized("4", "c", 600_000),
    sized("5", "d", 9),
  ];
  expect(requestsOf(all, 50).map((request) => request.map(({ id }) => id))).toEqual([
    ["1"],
    ["2", "3"],
    ["4"],
    ["5"],
  ]);
});
