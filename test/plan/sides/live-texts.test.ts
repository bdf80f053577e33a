import { describe, expect, test } from "vitest";
import {
  type Entity,
  type FacetValue,
  type Member,
  type Scalar,
  type ScalarValue,
  scalarOf,
  setOf,
} from "../../../src/model/state.ts";
import { withLiveTexts } from "../../../src/plan/sides/live-texts.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const asset = datasetNamed("a");
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };

/** What a declared value becomes beside one of the catalog. */
function beside(
  facet: string,
  declared: FacetValue,
  live: FacetValue,
  fields?: ReadonlySet<string>,
): FacetValue | undefined {
  const dataset = (value: FacetValue): Entity => entityOf("Dataset", asset, { [facet]: value });
  const found = { state: stateOf(dataset(live)), ...(fields && { fields }) };
  return withLiveTexts(stateOf(dataset(declared)), found)
    .get(asset)
    ?.facets.get(facet);
}

const described = (declared: Scalar, live: ScalarValue): FacetValue | undefined =>
  beside("description", scalarOf(declared, origin), live);

test.each([
  ["a line end at its end", "text\n", "text"],
  ["blanks at its end", "text", "text \t"],
  ["blanks at the end of a line", "one \t \ntwo", "one\ntwo"],
  ["the line ends of Windows", "one\r\ntwo", "one\ntwo"],
  ["the line ends of old Macs", "one\rtwo", "one\ntwo"],
])("a text that differs in %s is that of the catalog, at its own place", (_, declared, live) => {
  expect(described(declared, scalarOf(live))).toStrictEqual(scalarOf(live, origin));
});

test.each<readonly [string, Scalar, ScalarValue]>([
  ["blanks at its start", " text", scalarOf("text")],
  ["the end of a line that is missing", "one\ntwo", scalarOf("onetwo")],
  ["its first line", "one\nlast", scalarOf("two\nlast")],
  ["all, as the catalog has none", "text", scalarOf(null)],
  ["all, as the catalog has none and it is empty", "", scalarOf(null)],
  ["what ingestion wrote", "text", { ...scalarOf(null), fallback: "other" }],
  ["nothing", "text", scalarOf("text")],
])("a text that differs in %s stays", (_, declared, live) => {
  expect(described(declared, live)).toStrictEqual(scalarOf(declared, origin));
});

test("a text that ingestion wrote and nobody has edited is no text of ours", () => {
  expect(described("text\n", { ...scalarOf(null), fallback: "text" })).toStrictEqual(scalarOf(null, origin));
});

describe("a text among other fields", () => {
  const live = scalarOf({ note: "Use b.", replacement: "b" });

  test("that differs in blanks at its end is that of the catalog", () => {
    expect(beside("deprecation", scalarOf({ note: "Use b.\n", replacement: "b" }), live)).toStrictEqual(live);
  });

  test.each([
    ["another field differs", { note: "Use b.\n", replacement: "c" }],
    ["nothing but the order differs", { replacement: "b", note: "Use b." }],
  ])("stays the same value where %s", (_, declared) => {
    const value = scalarOf(declared);
    expect(beside("deprecation", value, live)).toBe(value);
  });
});

describe("what was declared since", () => {
  const noted = (value: string, ...since: readonly string[]): ScalarValue => ({ ...scalarOf(value), since });

  test.each([
    ["one of several", noted("a", "b", "text\n"), noted("a", "b", "text")],
    ["the first", noted("text\n", "b", "c"), noted("text", "b", "c")],
    ["all", noted("text\n", "text "), noted("text", "text")],
  ])("is that of the catalog where it differs in blanks: %s", (_, declared, expected) => {
    expect(beside("description", declared, scalarOf("text"))).toStrictEqual(expected);
  });

  test("stays the same value where it differs in more", () => {
    const declared = noted("a", "b", "c");
    expect(beside("description", declared, scalarOf("text"))).toBe(declared);
  });
});

describe("the texts of columns", () => {
  const columns = (texts: Readonly<Record<string, string>>): FacetValue => ({
    shape: "map",
    entries: new Map(Object.entries(texts).map(([column, text]) => [column, scalarOf(text)])),
  });
  const live = columns({ id: "key", email: "mail" });

  test("are each that of the catalog where they differ in blanks", () => {
    expect(
      beside("columns.description", columns({ id: "number", email: "mail\n", more: "x\n" }), live),
    ).toEqual(columns({ id: "number", email: "mail", more: "x\n" }));
  });

  test.each([
    ["they differ in more", columns({ id: "number", email: "mail" }), live],
    ["the catalog has no columns", columns({ id: "key" }), scalarOf("key")],
    ["the catalog alone has columns", scalarOf("key"), live],
  ])("stay the same value where %s", (_, declared, there) => {
    expect(beside("columns.description", declared, there)).toBe(declared);
  });
});

describe("a link with another label", () => {
  const url = "https://wiki.acme.com";
  const labelled = (label: string): Member => ({ url, label });
  const [ours, theirs, other] = [labelled("Wiki"), labelled("Old wiki"), labelled("Other")];
  const more = { url: "https://acme.com", label: "Home" };
  const declared = { ...setOf([ours, more], origin), by: [{ values: [ours, more] }] };

  test("is that of the catalog where the server does not tell them apart", () => {
    const old = new Set(["InstitutionalMemoryMetadata.label"]);
    expect(beside("links", declared, setOf([theirs]), old)).toStrictEqual({
      ...setOf([theirs, more], origin),
      by: declared.by,
    });
  });

  test.each<readonly [string, FacetValue, ReadonlySet<string> | undefined]>([
    ["the server tells them apart", setOf([theirs]), new Set(["InstitutionalMemoryMetadata.updated"])],
    ["nobody knows what the server has", setOf([theirs, other]), undefined],
    ["the catalog has no links", scalarOf(null), new Set(["InstitutionalMemoryMetadata.label"])],
  ])("stays where %s", (_, live, fields) => {
    expect(beside("links", declared, live, fields)).toBe(declared);
  });

  test("stays where it is no set", () => {
    const value = scalarOf("x");
    expect(beside("links", value, setOf([theirs]), new Set(["InstitutionalMemoryMetadata.label"]))).toBe(
      value,
    );
  });
});

test("a value that is no prose stays, also where it differs in blanks only", () => {
  const value = scalarOf("a ");
  expect(beside("domain", value, scalarOf("a"))).toBe(value);
});

test("other values, and other entities, stay as they are", () => {
  const changed = entityOf("Dataset", asset, { domain: scalarOf("d"), description: scalarOf("text\n") });
  const same = entityOf("Dataset", datasetNamed("b"), { description: scalarOf("text") });
  const absent = entityOf("Dataset", datasetNamed("c"), { description: scalarOf("text\n") });
  const live = { state: stateOf(...[changed, same].map((each) => withText(each, "text"))) };

  const state = withLiveTexts(stateOf(changed, same, absent), live);

  expect(state).toEqual(stateOf(withText(changed, "text"), same, absent));
  expect(state.get(same.urn)).toBe(same);
  expect(withLiveTexts(live.state, live)).toBe(live.state);
});

function withText(entity: Entity, text: string): Entity {
  return { ...entity, facets: new Map([...entity.facets, ["description", scalarOf(text)]]) };
}
