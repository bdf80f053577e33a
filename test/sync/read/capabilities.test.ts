import { parse } from "graphql";
import { expect, test } from "vitest";
import { capabilities } from "../../../src/facets/capabilities.ts";
import { edgeSets } from "../../../src/facets/index.ts";
import type { Answer, Reader } from "../../../src/datahub/client.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import {
  featureFlagDocument,
  featureFlagDocuments,
  firstUnprobed,
  hasConditionalWrites,
  isRefused,
  recordProbe,
  recordRefusal,
  knownCapabilities,
  probeTypes,
  readFeatureFlag,
} from "../../../src/sync/read/capabilities.ts";
import { optionalTypes, typesOf } from "../../../src/sync/read/optional-types.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const orders = datasetNamed("orders");
const days = "urn:li:structuredProperty:days";
const map = (key: string, value: FacetValue): FacetValue => ({
  shape: "map",
  entries: new Map([[key, value]]),
});

test.each<readonly [string, string, FacetValue, readonly string[]]>([
  ["tags of columns", "columns.tags", map("id", setOf([])), ["SchemaFieldEntity"]],
  ["a property that is taken away", "structured_properties", map(days, scalarOf(null)), ["Mutation"]],
  ["a property", "structured_properties", map(days, scalarOf("1")), []],
  ["a property of several values", "structured_properties", map(days, setOf([])), []],
  ["tags", "tags", setOf([urn("urn:li:tag:pii")]), []],
])("of entities that declare %s, the fields of these types are asked for", (_, facet, value, types) => {
  const wanted = stateOf(
    entityOf("Dataset", orders, { [facet]: value }),
    entityOf("Dataset", datasetNamed("clicks"), { [facet]: value }),
  );
  expect(optionalTypes(wanted)).toEqual(types);
});

test("each type is asked for once", () => {
  expect(typesOf(["A.x", "B.x", "A.y"])).toEqual(["A", "B"]);
});

const readerOf = (
  query: Reader["query"],
  read: Reader["stored"]["read"] = async () => "unknown",
): Reader => ({ concurrency: 1, query, stored: { read } });

const probed = (fields: Json): Answer => ({ data: { __type: fields }, errors: [] });

test.each<readonly [string, Answer, readonly string[]]>([
  ["its fields", probed({ fields: [{ name: "a" }, { name: "b" }] }), ["T.a", "T.b"]],
  ["malformed fields", probed({ fields: [null, "x", {}, { name: 7 }, { name: "b" }] }), ["T.b"]],
  ["no list of fields", probed({ fields: "a" }), []],
  ["a type without fields", probed({ fields: null }), []],
  ["no such type", probed(null), []],
  ["nothing", { data: null, errors: [{ message: "no introspection" }] }, []],
])("of a type that is answered with %s, those that are named are known", async (_, answer, expected) => {
  expect([
    ...(await probeTypes(
      readerOf(async () => answer),
      ["T"],
    )),
  ]).toEqual(expected);
});

test("each type is asked for by a request of its own, and only once for all readers of a server", async () => {
  const asked: string[] = [];
  const query: Reader["query"] = async (document) => {
    asked.push(document);
    return probed({ fields: [{ name: "x" }] });
  };
  const server = {};
  const readers = [query, query].map((each) => ({ ...readerOf(each), server }));
  for (const reader of readers) expect([...(await probeTypes(reader, ["A", "B"]))]).toEqual(["A.x", "B.x"]);
  expect(asked).toEqual(
    ["A", "B"].map((type) => `query ProbeType { __type(name: "${type}") { fields { name } } }`),
  );
});

test.each<readonly [string, () => Promise<Answer>, number]>([
  ["that fails is asked again", () => Promise.reject(new Error("busy")), 2],
  [
    "with an error of the moment is asked again",
    async () => ({ data: null, errors: [{ message: "busy", code: 500 }] }),
    2,
  ],
  [
    "that is refused is not asked again",
    async () => ({ data: null, errors: [{ message: "no introspection" }] }),
    1,
  ],
])("a question %s", async (_, answer, requests) => {
  let asked = 0;
  const reader = readerOf(() => {
    asked += 1;
    return answer();
  });
  for (const time of [1, 2]) await probeTypes(reader, ["T"]).catch(() => time);
  expect(asked).toBe(requests);
});

test.each<readonly [string, Answer, string | undefined]>([
  ["an error of the moment", { data: null, errors: [{ message: "busy", code: 500 }] }, "T"],
  ["its refusal", { data: null, errors: [{ message: "no introspection" }] }, undefined],
  [
    "its fields beside an error of the moment",
    { data: { __type: { fields: [{ name: "a" }] } }, errors: [{ message: "busy", code: 500 }] },
    undefined,
  ],
])(
  "after a question about a type beside others is answered with %s, it is asked again or not",
  (_, answer, expected) => {
    const reader = readerOf(async () => answer);
    recordProbe(reader, answer, "T");
    expect(firstUnprobed(reader, ["T"])).toBe(expected);
  },
);

/** A server with some fields, which names none where introspection is off. */
function serving(fields: readonly string[], flag: boolean, hasAspects: boolean): Reader {
  const query: Reader["query"] = async (document) => {
    if (document.startsWith("query ReadFeatureFlag"))
      return { data: { appConfig: { featureFlags: { multipleDataProductsPerAsset: flag } } }, errors: [] };
    const [, type = ""] = /name: "(\w+)"/.exec(document) ?? [];
    const names = fields.flatMap((field) =>
      field.startsWith(`${type}.`) ? [{ name: field.slice(type.length + 1) }] : [],
    );
    return probed(
      names.length > 0 ? { [document.includes("inputFields") ? "inputFields" : "fields"]: names } : null,
    );
  };
  return readerOf(query, async (_, wanted) => {
    if (hasAspects) return new Map();
    return wanted.length === 0 ? "unknown" : new Map(wanted.map((each) => [each.urn, {}]));
  });
}

const fields = capabilities.flatMap(({ asked }) => ("field" in asked ? [asked.field] : []));
const flags = ["FeatureFlagsConfig.multipleDataProductsPerAsset"];
const isThere = async (reader: Reader): Promise<ReadonlySet<boolean | null>> =>
  new Set((await knownCapabilities(reader)).map((each) => each.isThere));

test("a server has a capability that it shows, lacks one that it does not show, and without introspection it is not known", async () => {
  expect(await isThere(serving(["Query.me", ...fields, ...flags], true, true))).toEqual(new Set([true]));
  expect(await isThere(serving(["Query.me", ...flags], false, false))).toEqual(new Set([false]));
  const off = await knownCapabilities(serving([], true, true));
  expect(off.filter((each) => each.isThere !== null).map(({ id }) => id)).toEqual([
    "conditional-writes",
    "aspect-batches",
  ]);
});

test("what a server refused once it lacks", async () => {
  const reader = serving([], true, true);
  expect(isRefused(reader, "sorted-scrolls")).toBe(false);
  recordRefusal(reader, "sorted-scrolls");
  const found = await knownCapabilities(reader);
  expect(found.filter((each) => each.isThere === false).map(({ id }) => id)).toEqual(["sorted-scrolls"]);
});

test.each([
  ["has", new Map<string, never>(), true],
  ["is taken to have", "refused", true],
] as const)(
  "a server %s conditional writes by its answer to a request for no aspects",
  async (_, answer, expected) => {
    const asked: unknown[] = [];
    const reader = readerOf(
      async () => probed(null),
      async (type, wanted) => {
        asked.push([type, wanted]);
        return answer;
      },
    );
    expect([await hasConditionalWrites(reader), await hasConditionalWrites(reader)]).toEqual([
      expected,
      expected,
    ]);
    expect(asked).toEqual([["corpuser", []]]);
  },
);

const envelope = (systemMetadata: JsonObject): JsonObject => ({
  corpUserInfo: { value: { active: true }, systemMetadata },
});

test.each<readonly [string, string, JsonObject | "refused" | undefined, boolean | null]>([
  ["has", "the version of an aspect is shown", envelope({ version: "1" }), true],
  ["lacks", "an aspect is shown without a version", envelope({ runId: "x" }), false],
  ["lacks", "no aspect is shown", {}, false],
  ["is not known to lack", "the entity is not shown", undefined, null],
  ["is not known to lack", "aspects are refused", "refused", null],
])(
  "a server that does not answer the request for no aspects %s conditional writes where %s",
  async (_, __, answer, expected) => {
    const asked: unknown[] = [];
    const first = "urn:li:corpuser:datahub";
    const reader = readerOf(
      async () => probed(null),
      async (type, wanted, ___, options) => {
        asked.push([type, ...wanted, ...(options?.orEach === true ? ["or each"] : [])]);
        if (wanted.length === 0) return "unknown";
        return typeof answer === "string" ? answer : new Map(answer && [[first, answer]]);
      },
    );
    for (const time of [1, 2])
      expect([time, await hasConditionalWrites(reader)]).toEqual([time, expected !== false]);
    expect(asked).toEqual([["corpuser"], ["corpuser", { urn: first, aspects: ["corpUserInfo"] }, "or each"]]);
    const found = await knownCapabilities(reader);
    expect(found.slice(0, 2).map(({ id, isThere: has }) => [id, has])).toEqual([
      ["conditional-writes", expected],
      ["aspect-batches", false],
    ]);
  },
);

/** What is read of the flag `on`, and how many requests that takes, where a server has these flags. */
async function flagOf(
  names: readonly string[],
  answer: Answer,
): Promise<{ readonly value: boolean | undefined; readonly requests: number }> {
  let requests = 0;
  const query: Reader["query"] = async (document) => {
    requests += 1;
    if (document === featureFlagDocument("on")) return answer;
    return { data: { __type: { fields: names.map((name) => ({ name })) } }, errors: [] };
  };
  return { value: await readFeatureFlag(readerOf(query), "on"), requests };
}

const answered = (featureFlags: Json): Answer => ({ data: { appConfig: { featureFlags } }, errors: [] });

test.each([true, false])("a flag is what the server says: %s", async (on) => {
  expect(await flagOf(["other", "on"], answered({ on }))).toEqual({ value: on, requests: 2 });
});

test("a flag that the server does not have is off, and not asked for", async () => {
  expect(await flagOf(["other"], answered({ on: true }))).toEqual({ value: false, requests: 1 });
});

test("where introspection is off a flag is not known, and not asked for", async () => {
  expect(await flagOf([], answered({ on: true }))).toEqual({ value: undefined, requests: 1 });
});

const silent = "the server's response does not contain it";

test.each<readonly [string, Answer, string]>([
  ["refused", { data: null, errors: [{ message: "Unauthorized" }] }, "Unauthorized"],
  ["answered without settings", { data: { appConfig: null }, errors: [] }, silent],
  ["answered without flags", answered(null), silent],
  ["answered as no flag", answered({ on: "yes" }), silent],
])("a flag that is %s cannot be read", async (_, answer, reason) => {
  await expect(flagOf(["on"], answer)).rejects.toMatchObject({
    failure: "answer",
    message: `could not read the server setting on: ${reason}`,
  });
});

test("a plan can ask for the flags of all edges that depend on one", () => {
  const exclusive = edgeSets.flatMap((edges) => edges.exclusive?.unless ?? []);
  const documents = [...featureFlagDocuments];
  expect(documents.filter((document) => document.startsWith("query ReadFeatureFlag"))).toEqual(
    exclusive.map(featureFlagDocument),
  );
  expect(documents).toHaveLength(exclusive.length + 1);
  for (const document of documents) expect(() => parse(document)).not.toThrow();
});
