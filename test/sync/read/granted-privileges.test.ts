import { expect, test } from "vitest";
import type { Answer, Reader } from "../../../src/datahub/client.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { grantedPrivileges, privilegesDocument } from "../../../src/sync/read/granted-privileges.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const alice = urn("urn:li:corpuser:alice");

async function granted(
  number: number,
  answer: (variables: JsonObject) => Answer,
): Promise<{ readonly found: readonly object[]; readonly asked: readonly JsonObject[] }> {
  const asked: JsonObject[] = [];
  const query: Reader["query"] = async (document, variables) => {
    const { actor: _actor, ...resources } = variables;
    expect(document).toBe(privilegesDocument(Object.keys(resources).length));
    asked.push(variables);
    return answer(variables);
  };
  const reader: Reader = { concurrency: 1, query, stored: { read: async () => "unknown" } };
  const items = Array.from(
    { length: number },
    (_, index) => [index, { urn: datasetNamed(`d${index}`), kind: "Dataset" }] as const,
  );
  const found: object[] = [];
  for await (const each of grantedPrivileges(reader, alice, items)) found.push(each);
  return { found, asked };
}

test("one query asks for the privileges of a user on the platform, and on each of some entities", () => {
  expect(privilegesDocument(2)).toBe(
    "query ReadPrivileges($actor: String!, $r0: ResourceSpec!, $r1: ResourceSpec!) {" +
      " platform: getGrantedPrivileges(input: { actorUrn: $actor }) { privileges }" +
      " p0: getGrantedPrivileges(input: { actorUrn: $actor, resourceSpec: $r0 }) { privileges }" +
      " p1: getGrantedPrivileges(input: { actorUrn: $actor, resourceSpec: $r1 }) { privileges } }",
  );
  expect(privilegesDocument(0)).toContain("($actor: String!) { platform: ");
});

test("each item has the privileges on its entity, and those on the platform", async () => {
  const { found, asked } = await granted(2, () => ({
    data: { platform: { privileges: ["A"] }, p0: { privileges: ["B"] }, p1: null },
    errors: [{ message: "no" }, { message: "never" }],
  }));
  expect(found).toEqual([
    { item: 0, platform: ["A"], own: ["B"], reason: "no" },
    { item: 1, platform: ["A"], own: undefined, reason: "no" },
  ]);
  expect(asked).toEqual([
    {
      actor: alice,
      r0: { resourceType: "DATASET", resourceUrn: datasetNamed("d0") },
      r1: { resourceType: "DATASET", resourceUrn: datasetNamed("d1") },
    },
  ]);
});

test("a request asks for a hundred entities", async () => {
  const { found, asked } = await granted(101, () => ({ data: null, errors: [] }));
  expect(asked.map((variables) => Object.keys(variables).length - 1)).toEqual([100, 1]);
  expect(found).toHaveLength(101);
  expect(found.at(-1)).toEqual({ item: 100, platform: undefined, own: undefined, reason: undefined });
});
