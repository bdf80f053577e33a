import fc from "fast-check";
import { expect, test } from "vitest";
import { mutationOf, packRequests } from "../../../src/sync/write/requests.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { counted, runsOf } from "../../support/runs.ts";
import { datasetNamed, urn } from "../../support/states.ts";

type Sort = "mutation" | "definition" | "assignment";

function operation(id: string, name: string, sort: Sort = "mutation"): Operation {
  const edits = [{ at: ["tags"], add: [], remove: [], keys: { template: ["tag"] } }];
  const definition = { type: "proposal", urn: urn(`urn:li:tag:${name}`), aspect: "x", initial: {}, set: {} };
  const requests = {
    mutation: { type: "mutation", field: "unsetDomain", args: [] },
    definition,
    assignment: { ...definition, edits },
  };
  return {
    id,
    request: requests[sort] as Operation["request"],
    locks: [datasetNamed(name)],
    after: [],
    changes: [],
  };
}

const sorts: readonly Sort[] = ["mutation", "definition", "assignment"];
const operations = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.constantFrom(...sorts), fc.boolean()), {
    maxLength: 60,
  })
  .map((drawn) => ({
    all: drawn.map(([name, sort], index) => operation(`${index}`, name, sort)),
    alone: new Set(drawn.flatMap(([, , isAlone], index) => (isAlone ? [`${index}`] : []))),
  }));

function sortOf({ request }: Operation): Sort {
  if (request.type === "mutation") return "mutation";
  return request.edits ? "assignment" : "definition";
}

test(
  "every operation is sent once, an entity's mutations in their order, definitions and what is alone by itself, no request above the size",
  counted,
  () => {
    fc.assert(
      fc.property(operations, fc.integer({ min: 1, max: 30 }), ({ all, alone }, size) => {
        const requests = packRequests(all, size, alone);
        expect(
          requests
            .flat()
            .map(({ id }) => Number(id))
            .toSorted((a, b) => a - b),
        ).toEqual(all.map((_, index) => index));
        for (const request of requests) {
          const [sort = "mutation", ...others] = new Set(request.map(sortOf));
          expect(others).toEqual([]);
          const isSingle = sort === "definition" || request.some(({ id }) => alone.has(id));
          const most = sort === "assignment" ? Math.min(size, 20) : size;
          expect(request.length).toBeLessThanOrEqual(isSingle ? 1 : most);
        }
        const mutations = requests
          .flat()
          .filter(({ request, id }) => request.type === "mutation" && !alone.has(id));
        for (const lock of new Set(all.flatMap(({ locks }) => locks))) {
          const ids = mutations.filter(({ locks }) => locks.includes(lock)).map(({ id }) => Number(id));
          expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: runsOf(1000) },
    );
  },
);

test("the mutations of an entity stay in one request where they fit", () => {
  const all = ["a", "a", "b", "b", "b", "c"].map((name, index) => operation(`${index}`, name));
  const names = packRequests(all, 3).map((request) => request.map(({ locks }) => locks[0]));
  expect(names).toEqual([
    ["a", "a"].map(datasetNamed),
    ["b", "b", "b"].map(datasetNamed),
    ["c"].map(datasetNamed),
  ]);
});

test("an entity with more mutations than fit has requests that follow each other", () => {
  const many = Array.from({ length: 5 }, (_, index) => operation(`${index}`, "a"));
  expect(packRequests(many, 2).map((request) => request.length)).toEqual([2, 2, 1]);
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
  expect(packRequests(all, 50).map((request) => request.map(({ id }) => id))).toEqual([
    ["1"],
    ["2", "3"],
    ["4"],
    ["5"],
  ]);
});

test("a proposal of which one list has no keys is sent by itself", () => {
  const keyed = operation("0", "a", "assignment");
  const mixed = operation("1", "b", "assignment");
  const { request } = mixed;
  if (request.type !== "proposal") throw new Error("no proposal");
  const edits = [...(request.edits ?? []), { at: ["other"], add: [], remove: [] }];
  const requests = packRequests([keyed, { ...mixed, request: { ...request, edits } }], 20);
  expect(requests.map((some) => some.map(({ id }) => id))).toEqual([["1"], ["0"]]);
});

test("a request has at most half a million characters", () => {
  const sized = (id: string, characters: number): Operation => {
    const request = { type: "mutation", field: "", args: [] } as const;
    const field = "x".repeat(characters - JSON.stringify(request).length);
    return { ...operation(id, id), request: { ...request, field } };
  };
  const packed = (...sizes: readonly number[]) =>
    packRequests(
      sizes.map((size, index) => sized(`${index}`, size)),
      50,
    ).map((request) => request.map(({ id }) => id));
  expect(packed(250_000, 250_000)).toEqual([["0", "1"]]);
  expect(packed(250_000, 250_001)).toEqual([["0"], ["1"]]);
  expect(packed(250_000, 200_000, 100_000)).toEqual([["0", "1"], ["2"]]);
});

test("each mutation of a request is an alias with variables of its own", () => {
  const add = (value: string) => ({
    type: "mutation" as const,
    field: "addTags",
    args: [
      { name: "input", type: "Tags!", value },
      { name: "by", type: "String", value: null },
    ],
  });
  expect(mutationOf([add("a"), add("b")])).toEqual({
    document:
      "mutation Apply($o0_input: Tags!, $o0_by: String, $o1_input: Tags!, $o1_by: String) " +
      "{ o0: addTags(input: $o0_input, by: $o0_by) o1: addTags(input: $o1_input, by: $o1_by) }",
    variables: { o0_input: "a", o0_by: null, o1_input: "b", o1_by: null },
  });
});

test("a mutation that answers with what it has written selects that", () => {
  const { document } = mutationOf([{ type: "mutation", field: "create", args: [], selection: "urn" }]);
  expect(document).toBe("mutation Apply() { o0: create() { urn } }");
});

test("a new entity that is placed by its first write is a request by itself, because a joint one has no room for that", () => {
  const plain = ["1", "2"].map((id) => operation(id, id, "assignment"));
  const placed = operation("3", "3", "assignment");
  const request = { ...placed.request, beside: placed.request } as Operation["request"];
  const requests = packRequests([...plain, { ...placed, request }], 50);
  expect(requests.map((each) => each.map(({ id }) => id))).toEqual([["3"], ["1", "2"]]);
});
