import { expect, test } from "vitest";
import type { Answer, Reader } from "../../../src/datahub/client.ts";
import type { Json } from "../../../src/model/json.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { optionalTypes, probedFields, probeTypes, typesOf } from "../../../src/run/read/available-fields.ts";
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

const probed = (fields: Json): Answer => ({ data: { __type: fields }, errors: [] });

test.each<readonly [string, Answer, readonly string[]]>([
  ["its fields", probed({ fields: [{ name: "a" }, { name: "b" }] }), ["T.a", "T.b"]],
  ["malformed fields", probed({ fields: [null, "x", {}, { name: 7 }, { name: "b" }] }), ["T.b"]],
  ["no list of fields", probed({ fields: "a" }), []],
  ["a type without fields", probed({ fields: null }), []],
  ["no such type", probed(null), []],
  ["nothing", { data: null, errors: [{ message: "no introspection" }] }, []],
])("of a type that is answered with %s, those that are named are known", (_, answer, expected) => {
  expect(probedFields(answer, "T")).toEqual(expected);
});

test("each type is probed by a request of its own", async () => {
  const asked: string[] = [];
  const query: Reader["query"] = async (document) => {
    asked.push(document);
    return probed({ fields: [{ name: "x" }] });
  };
  const reader: Reader = { concurrency: 1, query, stored: { read: async () => "unknown" } };
  expect([...(await probeTypes(reader, ["A", "B"]))]).toEqual(["A.x", "B.x"]);
  expect(asked).toEqual(
    ["A", "B"].map((type) => `query ProbeType { __type(name: "${type}") { fields { name } } }`),
  );
});
