import { expect, test } from "vitest";
import type { Reader } from "../../../../src/datahub/client.ts";
import { kindOf } from "../../../../src/kinds/index.ts";
import type { SearchFilter } from "../../../../src/kinds/kind.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import {
  type AssetQuestion,
  inContainer,
  indexFilters,
} from "../../../../src/sync/read/assets/index-filters.ts";
import { ruleFor } from "../../../support/rules.ts";

const container = (id: string | number): string => `urn:li:container:${id}`;

/** An index in which containers are in others, and what it was asked: which containers are in these. */
function indexOf(below: Readonly<Record<string, readonly string[]>>): {
  readonly reader: Reader;
  readonly asked: unknown[];
} {
  const asked: unknown[] = [];
  const query: Reader["query"] = async (_, variables) => {
    const { orFilters } = variables["input"] as unknown as {
      orFilters: readonly { and: readonly SearchFilter[] }[];
    };
    const containers = orFilters.flatMap(({ and }) => and.flatMap(({ values }) => values));
    asked.push(containers);
    const found = containers.flatMap((each) => below[each] ?? []);
    const page: JsonObject = { searchResults: found.map((urn) => ({ entity: { urn } })) };
    return { data: { scrollAcrossEntities: page }, errors: [] };
  };
  return { reader: { concurrency: 1, query, stored: { read: async () => "unknown" } }, asked };
}

async function filtersOf(
  reader: Reader,
  ...questions: readonly AssetQuestion[]
): Promise<readonly (readonly SearchFilter[])[]> {
  return await indexFilters(reader, kindOf("Dataset"), { questions });
}

const [a, b, c, d] = ["a", "b", "c", "d"].map(container) as [string, string, string, string];

test("a container stands for all that are nested in it, each asked for once", async () => {
  const { reader, asked } = indexOf({ [b]: [c, a], [c]: [d, c], [d]: [b] });
  const [filters] = await filtersOf(reader, ruleFor("Dataset", { container: "b", platform: "kafka" }));
  expect(filters).toEqual([
    { field: "container", values: [a, b, c, d] },
    { field: "platform", values: ["urn:li:dataPlatform:kafka"] },
  ]);
  expect(asked).toEqual([[b], [c, a], [d]]);
});

test.each([
  ["a thousand", 1000, 1],
  ["more than a thousand", 1001, 0],
])("a rule by %s containers restricts the index to %i of them, in %i lists", async (_, number, lists) => {
  const nested = Array.from({ length: number - 1 }, (_each, index) => container(index));
  const found = await filtersOf(indexOf({ [a]: nested }).reader, ruleFor("Dataset", { container: "a" }));
  expect(found.map((list) => list.map(({ values }) => values.length))).toEqual(
    Array.from({ length: lists }, () => [number]),
  );
});

test("where containers are too many nothing is restricted by other rules either", async () => {
  const nested = Array.from({ length: 1000 }, (_, index) => container(index));
  const rules = [ruleFor("Dataset", { env: "PROD" }), ruleFor("Dataset", { container: "a" })];
  expect(await filtersOf(indexOf({ [a]: nested }).reader, ...rules)).toEqual([]);
});

test("where a rule restricts nothing, no container is looked up for another", async () => {
  const { reader, asked } = indexOf({ [a]: [b] });
  const rules = [ruleFor("Dataset", { container: "a" }), ruleFor("Dataset", { name: "x*" })];
  expect([await filtersOf(reader, ...rules), asked]).toEqual([[], []]);
});

test("to be in any container restricts nothing", async () => {
  const { reader, asked } = indexOf({});
  const question = { ...ruleFor("Dataset"), conditions: [inContainer] };
  expect([await filtersOf(reader, question), asked]).toEqual([[], []]);
});

test("as many rules as an index takes restrict it", async () => {
  const rules = Array.from({ length: 200 }, (_, index) => ruleFor("Dataset", { subtype: `type ${index}` }));
  expect(await filtersOf(indexOf({}).reader, ...rules)).toHaveLength(200);
});

test("the index is not restricted by what is compared without case", async () => {
  const { conditions, ...rule } = ruleFor("Dataset", { platform: "Kafka", env: "PROD" });
  const [platform, ...others] = conditions;
  if (!platform) throw new Error("no condition");
  const without = { ...rule, conditions: [{ ...platform, ignoreCase: true } as const, ...others] };
  expect(await filtersOf(indexOf({}).reader, without)).toEqual([
    [{ field: expect.any(String), values: ["PROD"] }],
  ]);
});
