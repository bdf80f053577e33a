import { describe, expect, test } from "vitest";
import type { UnmanagedValue } from "../../../src/model/plan.ts";
import {
  type Entity,
  type FacetValue,
  type MapValue,
  type Member,
  scalarOf,
  setOf,
  type State,
} from "../../../src/model/state.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { ingestedIn, noLongerDeclared, unmanagedToShow } from "../../../src/plan/diff/unmanaged.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const b = datasetNamed("b");

type Facets = Readonly<Record<string, FacetValue>>;

const of = (facets: Facets): State => stateOf(entityOf("Dataset", a, facets));

function columns(entries: Readonly<Record<string, readonly string[]>>): MapValue {
  return {
    shape: "map",
    entries: new Map(Object.entries(entries).map(([column, tags]) => [column, setOf(tags)])),
  };
}

function item(facet: string, value: Member | number, more: Partial<UnmanagedValue> = {}): UnmanagedValue {
  return { urn: a, kind: "Dataset", facet, value, reason: "no-longer-declared", ...more };
}

describe("a live value that base declared and nobody declares any more", () => {
  // What is declared, what base declared, what is there, what is named.
  test.each<readonly [string, Facets, Facets, Facets, readonly UnmanagedValue[]]>([
    [
      "of a set",
      {},
      { tags: setOf(["x"]) },
      { tags: setOf(["x", "y"]), owners: setOf(["u"]) },
      [item("tags", "x")],
    ],
    ["of an empty set", {}, { tags: setOf(["x"]) }, { tags: setOf([]) }, []],
    ["of a single value", {}, { domain: scalarOf("d") }, { domain: scalarOf("d") }, [item("domain", "d")]],
    ["of a single value that others replaced", {}, { domain: scalarOf("d") }, { domain: scalarOf("e") }, []],
    [
      "of a single value that was declared later",
      {},
      { domain: { ...scalarOf("d"), since: ["e"] } },
      { domain: scalarOf("e") },
      [item("domain", "e")],
    ],
    [
      "that is a number",
      {},
      { department_id: scalarOf(7) },
      { department_id: scalarOf(7) },
      [item("department_id", 7)],
    ],
    ["of an unset value", {}, { domain: scalarOf("d") }, { domain: scalarOf(null) }, []],
    ["of a facet that is declared", { tags: setOf([]) }, { tags: setOf(["x"]) }, { tags: setOf(["x"]) }, []],
    ["of a facet that was not read", {}, { tags: setOf(["x"]) }, {}, []],
    ["of a set that was read by columns", {}, { tags: setOf(["x"]) }, { tags: columns({ c: ["x"] }) }, []],
    [
      "of columns",
      {},
      { "columns.tags": columns({ c: ["x"], d: ["y"], gone: ["x"] }) },
      { "columns.tags": columns({ c: ["x", "z"], d: ["y"], e: ["z"] }) },
      [item("columns.tags", "x", { path: ["c"] }), item("columns.tags", "y", { path: ["d"] })],
    ],
    [
      "of the columns that are left out",
      { "columns.tags": columns({ c: [] }) },
      { "columns.tags": columns({ c: ["x"], d: ["y"] }) },
      { "columns.tags": columns({ c: ["x"], d: ["y"] }) },
      [item("columns.tags", "y", { path: ["d"] })],
    ],
    ["of columns that were not read", {}, { "columns.tags": columns({ c: ["x"] }) }, {}, []],
    [
      "of columns that were not read as such",
      {},
      { "columns.tags": columns({ c: ["x"] }) },
      { "columns.tags": setOf(["x"]) },
      [],
    ],
    [
      "of columns that are declared as something else",
      { "columns.tags": setOf([]) },
      { "columns.tags": columns({ c: ["x"] }) },
      { "columns.tags": columns({ c: ["x"] }) },
      [item("columns.tags", "x", { path: ["c"] })],
    ],
  ])("%s is named, with its place", (_, want, before, have, expected) => {
    expect(noLongerDeclared({ desired: of(want), live: of(have), undeclared: [] }, of(before))).toStrictEqual(
      expected,
    );
  });

  test("is named where its whole entity is no longer declared, unless it is not there either", () => {
    const [gone, absent] = [{ tags: setOf(["x"]) }, { tags: setOf(["y"]) }];
    const before = stateOf(entityOf("Dataset", a, gone), entityOf("Dataset", b, absent));

    expect(noLongerDeclared({ desired: new Map(), live: of(gone), undeclared: [] }, before)).toStrictEqual([
      item("tags", "x"),
    ]);
  });
});

test("a definition that nobody declares any more is named where no value of it is left, an asset is not", () => {
  const tag = entityOf("Tag", urn("urn:li:tag:t"), { description: scalarOf("x") });
  const asset = entityOf("Dataset", a, {});
  const live = stateOf(entityOf("Tag", tag.urn, { description: scalarOf("another") }), asset);
  const left = (...gone: readonly Entity[]) =>
    noLongerDeclared({ desired: new Map(), live, undeclared: gone }, stateOf(tag, asset));

  const whole = { desired: new Map(), live: stateOf(tag), undeclared: [tag] };

  expect(noLongerDeclared(whole, stateOf(tag))).toEqual([
    { urn: tag.urn, kind: "Tag", facet: "description", value: "x", reason: "no-longer-declared" },
  ]);
  expect(left(tag, asset)).toEqual([{ urn: tag.urn, kind: "Tag", reason: "no-longer-declared" }]);
  expect(left()).toEqual([]);
});

test("what nobody can declare, such as whether a tag is deleted, is not named", () => {
  const tag = stateOf(entityOf("Tag", urn("urn:li:tag:t"), { removed: scalarOf(false) }));

  expect(noLongerDeclared({ desired: new Map(), live: tag, undeclared: [] }, tag)).toEqual([]);
});

describe("a value that ingestion wrote", () => {
  const ingested = (value: string, column?: string, facet = "columns.tags"): UnmanagedValue =>
    item(facet, value, { reason: "ingested", ...(column !== undefined && { path: [column] }) });
  const declared = of({ "columns.tags": columns({ c: ["both"], d: [] }), tags: setOf([]) });

  test.each<readonly [string, UnmanagedValue, boolean]>([
    ["of a column that is declared", ingested("x", "c"), true],
    ["of a column that is declared without any", ingested("x", "d"), true],
    ["of a column that is not declared", ingested("x", "e"), false],
    ["that is declared anyway", ingested("both", "c"), false],
    ["of no column", ingested("x"), false],
    ["of a facet without columns", ingested("x", "c", "tags"), false],
    ["of a facet that is not declared", ingested("x", "c", "columns.terms"), false],
    ["of another entity", { ...ingested("x", "c"), urn: b }, false],
  ])("%s is named only where its column is managed", (_, value, isNamed) => {
    const live = { ...liveOf(new Map()), unmanaged: [value] };

    expect(ingestedIn(declared, live)).toEqual(isNamed ? [value] : []);
  });
});

describe("what is unmanaged is shown", () => {
  test("in order of URN, facet, column and value", () => {
    const inOrder: readonly UnmanagedValue[] = [
      item("columns.tags", "z"),
      item("columns.tags", "x", { path: ["A"] }),
      item("columns.tags", "x", { path: ["a"] }),
      item("columns.tags", "y", { path: ["a"] }),
      item("columns.tags", "x", { path: ["b"] }),
      item("owners", { owner: "a", type: "y" }),
      item("owners", { owner: "b", type: "x" }),
      item("tags", "a"),
      item("tags", "a!"),
      item("tags", "a", { urn: b }),
    ];

    expect(unmanagedToShow(inOrder.toReversed(), nothingIgnored, new Set())).toEqual(inOrder);
  });

  test("with an entity itself before its values", () => {
    const group = { urn: urn("urn:li:corpGroup:g"), kind: "Group", reason: "no-longer-declared" } as const;
    const all = [group, { ...group, facet: "members", value: "urn:li:corpuser:u" }];

    expect(unmanagedToShow(all.toReversed(), nothingIgnored, new Set())).toEqual(all);
  });

  test("without what is ignored, by value or as a whole, and without what is deleted", () => {
    const [other, deleted] = [datasetNamed("ignored"), datasetNamed("deleted")];
    const ignored = ignoring([
      { facet: "tags", value: "ignored", reason: "r" },
      { urn: other, reason: "r" },
    ]);
    const all = [
      item("tags", "x"),
      item("tags", "ignored"),
      item("tags", "x", { urn: other }),
      item("tags", "x", { urn: deleted }),
    ];

    expect(unmanagedToShow(all, ignored, new Set([deleted]))).toEqual([item("tags", "x")]);
  });

  test("without what refers to what is deleted: it falls with it", () => {
    const [tag, user] = ["urn:li:tag:t", "urn:li:corpuser:u"].map((text) => urn(text));
    const all = [
      item("owners", { owner: "urn:li:corpuser:v", type: "t" }),
      item("owners", { owner: "urn:li:corpuser:u", type: "t" }),
      item("tags", "urn:li:tag:s"),
      item("tags", "urn:li:tag:t"),
    ];

    expect(unmanagedToShow(all, nothingIgnored, new Set([tag!, user!]))).toEqual([all[0], all[2]]);
  });
});
