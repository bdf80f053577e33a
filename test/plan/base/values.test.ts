import { describe, expect, test } from "vitest";
import type { Change, FacetChange } from "../../../src/model/change.ts";
import type { Place } from "../../../src/model/place.ts";
import {
  type FacetValue,
  type Fields,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
} from "../../../src/model/state.ts";
import {
  facetsAfter,
  namesAt,
  referencesOf,
  referredBy,
  setAt,
  textsIn,
} from "../../../src/plan/base/values.ts";
import { datasetNamed, entityOf, urn } from "../../support/states.ts";
import { valuesOf } from "../../../src/model/values.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [tag, other] = [urn("urn:li:tag:t"), urn("urn:li:tag:other")];
const [domain, user] = [urn("urn:li:domain:d"), urn("urn:li:corpuser:u")];
const role = urn("urn:li:ownershipType:r");
const property = urn("urn:li:structuredProperty:p");
const about = { action: "update", kind: "Dataset", urn: a, fingerprint: "" } as const;

const single = (place: Place, before: Scalar, after: Scalar): FacetChange => ({
  ...about,
  ...place,
  shape: "scalar",
  before,
  after,
});
const set = (place: Place, add: readonly Member[], remove: readonly Member[] = []): FacetChange => ({
  ...about,
  ...place,
  shape: "set",
  add,
  remove,
});

describe("the entities to which a change makes its own refer", () => {
  const values = { facet: "structured_properties", path: [property] };
  const deprecated = (note: string, replacement: string): Fields => ({ note, replacement });

  test.each<readonly [string, Change, readonly string[]]>([
    ["are those that a set gains", set({ facet: "tags" }, [tag], [other]), [tag]],
    ["are the value that is set", single({ facet: "domain" }, null, domain), [domain]],
    ["are none where a value becomes unset", single({ facet: "domain" }, domain, null), []],
    ["are none in a text", single({ facet: "description" }, null, tag), []],
    ["are owner and role of an owner", set({ facet: "owners" }, [{ owner: user, type: role }]), [user, role]],
    [
      "are those that a field names, if it is another one than before",
      single({ facet: "deprecation" }, deprecated("x", a), deprecated("y", b)),
      [b],
    ],
    [
      "are not those to which it refers already",
      single({ facet: "deprecation" }, deprecated("x", b), deprecated("y", b)),
      [],
    ],
    ["are named by the keys of a single value", single(values, 1, "x"), [property]],
    ["are named by the keys of elements", set(values, ["x"]), [property]],
    ["are none by the keys of a value that becomes unset", single(values, 1, null), []],
    ["are none by the keys of elements that only go", set(values, [], ["x"]), []],
    [
      "are none of an entity",
      { action: "create", shape: "entity", kind: "Tag", urn: tag, fingerprint: "" },
      [],
    ],
  ])("%s", (_, change, expected) => {
    expect(referencesOf(change)).toEqual(expected);
  });

  test("are those of some elements, where these are asked for", () => {
    expect(referencesOf(set({ facet: "tags" }, [tag, other]), [other])).toEqual([other]);
    expect(referencesOf(set(values, ["x"]), [])).toEqual([]);
  });
});

test.each<readonly [string, readonly (Member | Scalar)[], readonly string[]]>([
  ["tags", [tag, domain, "text", null], [tag]],
  ["owners", [{ owner: user, type: "text" }], [user]],
  ["deprecation", [{ note: tag, replacement: a }, { note: "x" }, "text", null], [a]],
  ["description", [tag], []],
])("values of %s refer to entities of its types alone: of %j to %j", (facet, values, expected) => {
  expect(referredBy(facet, values)).toEqual(expected);
});

test.each<readonly [Partial<Place>, Member | Scalar, readonly string[]]>([
  [{ facet: "tags" }, tag, [tag]],
  [{}, tag, [tag]],
  [{ facet: "structured_properties", path: [property] }, "x", ["x", property]],
  [{ facet: "columns.tags", path: ["c"] }, tag, [tag]],
])("at %j the value %j names %j", (place, value, expected) => {
  expect(namesAt(place, value)).toEqual(expected);
});

test.each<readonly [Member | Scalar, readonly string[]]>([
  ["x", ["x"]],
  ["", [""]],
  [{ owner: "u", type: "t" }, ["u", "t"]],
  [{}, [""]],
  [7, ["7"]],
  [true, ["true"]],
  [null, []],
])("the texts in %j are %j", (value, expected) => {
  expect(textsIn(value)).toEqual(expected);
});

test.each<readonly [string, FacetValue | undefined, readonly unknown[]]>([
  ["a set", setOf(["x", "y"]), ["x", "y"]],
  ["a single value", scalarOf("x"), ["x"]],
  ["a value that is false", scalarOf(false), [false]],
  ["an unset value", scalarOf(null), []],
  ["a value that was declared as another since", { ...scalarOf("x"), since: ["y"] }, ["x", "y"]],
  ["an unset value that was declared since", { ...scalarOf(null), since: ["y"] }, ["y"]],
  ["columns", { shape: "map", entries: new Map([["c", setOf(["x"])]]) }, []],
  ["nothing", undefined, []],
])("the values of %s are those in it", (_, value, expected) => {
  expect(valuesOf(value)).toEqual(expected);
});

test("the set in a facet is that of an entity that has one", () => {
  const entity = entityOf("Dataset", a, { tags: setOf([tag]), domain: scalarOf(domain) });

  expect(setAt(entity, "tags")).toEqual(setOf([tag]));
  expect(setAt(entity, "domain")).toBeUndefined();
  expect(setAt(entity, "terms")).toBeUndefined();
  expect(setAt(undefined, "tags")).toBeUndefined();
});

const columns = (entries: Readonly<Record<string, FacetValue>>): FacetValue => ({
  shape: "map",
  entries: new Map(Object.entries(entries)),
});
const columnTags = { facet: "columns.tags", path: ["c"] };

// What was there, the change, and what is there then.
test.each<readonly [string, FacetValue | undefined, FacetChange, FacetValue]>([
  ["a set without what goes", setOf(["x", "y"]), set({ facet: "tags" }, ["z"], ["x"]), setOf(["y", "z"])],
  ["a set of what is added", undefined, set({ facet: "tags" }, ["z"], ["x"]), setOf(["z"])],
  ["a set in the place of a single value", scalarOf("x"), set({ facet: "tags" }, ["z"]), setOf(["z"])],
  ["the new value", scalarOf("x"), single({ facet: "domain" }, "x", "y"), scalarOf("y")],
  ["a value in the place of a set", setOf(["x"]), single({ facet: "domain" }, "x", "y"), scalarOf("y")],
  [
    "what the catalog shows without a value",
    { ...scalarOf("x"), fallback: "old" },
    single({ facet: "description" }, "x", null),
    { ...scalarOf(null), fallback: "old" },
  ],
  [
    "what the change knows of that",
    { ...scalarOf("x"), fallback: "old" },
    { ...single({ facet: "description" }, "x", null), fallback: "new" } as FacetChange,
    { ...scalarOf(null), fallback: "new" },
  ],
  [
    "other columns as they were",
    columns({ c: setOf(["x"]), d: setOf(["x"]) }),
    set(columnTags, ["y"], ["x"]),
    columns({ c: setOf(["y"]), d: setOf(["x"]) }),
  ],
  ["a new column", undefined, set(columnTags, ["y"]), columns({ c: setOf(["y"]) })],
])("a change leaves %s", (_, before, change, after) => {
  const facets = new Map(before && [[change.facet, before]]);

  expect([...facetsAfter(facets, [change])]).toStrictEqual([[change.facet, after]]);
});
