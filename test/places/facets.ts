import { mapFacet, referenceTo, scalarFacet, setFacet } from "../../src/facets/build.ts";
import { columns } from "../../src/facets/columns.ts";
import type { Facet, Observed } from "../../src/facets/facet.ts";
import type { ScalarWrites, SetWrites } from "../../src/facets/write-contract.ts";
import type { Keys } from "../../src/facets/map-contract.ts";
import type { ScalarChange } from "../../src/model/change.ts";
import { nonEmptyString } from "../../src/model/identifier.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../src/model/json.ts";
import type { ListEdit } from "../../src/model/operation.ts";
import { type Path, pathKey, valueFrom } from "../../src/model/place.ts";
import { type Fields, isFields, type Leaf, type Scalar, scalarOf, setOf } from "../../src/model/state.ts";
import { isUrn } from "../../src/model/urn.ts";

/**
 * The aspect that keeps all of them. Each value is a link: its address says the place, its text the value. DataHub keeps such a
 * list of every asset and definition.
 */
const aspect = "institutionalMemory";

const createStamp = { time: 1_700_000_000_000, actor: "urn:li:corpuser:datahub" };

/** The address that stands for a place of a facet. */
function addressOf(facet: string, path: Path = []): string {
  return `https://acme.com/${[facet, ...path].map(encodeURIComponent).join("/")}`;
}

function linkOf(facet: string, path: Path | undefined, value: Scalar): JsonObject {
  return { url: addressOf(facet, path), description: keptText(value), createStamp };
}

/** The text of a link that keeps a value. Fields are kept in another order than they were written in. */
function keptText(value: Scalar): string {
  return isFields(value)
    ? JSON.stringify(Object.fromEntries(Object.entries(value).toReversed()))
    : textOf(value);
}

/** The value that a text of a link keeps. */
function valueIn(facet: string, text: string | undefined): string | Fields | null {
  if (text === undefined) return null;
  return facet.includes("fields") ? (JSON.parse(text) as Fields) : text;
}

interface Stored {
  readonly path: Path;
  readonly value: string;
}

/** A single text, or fields, `null` for none; or texts in order. */
export type Value = string | Fields | null | readonly string[];

/** The links that keep a value at a place. */
export function storedForm(facet: string, path: Path, value: Value): readonly JsonObject[] {
  const values: readonly (string | Fields)[] = isTexts(value) ? value : value === null ? [] : [value];
  return values.map((each) => linkOf(facet, path, each));
}

/** What the aspect keeps at a place. */
export function keptAt(kept: Json | undefined, facet: string, path: Path): Value {
  const values = storedAt(facet, kept, path);
  return shapesOf(facet, path) === "set" ? values.toSorted() : valueIn(facet, values[0]);
}

/** Whether a value is one of a set. */
export function isTexts(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value);
}

/** What the aspect keeps of a facet. */
function storedOf(facet: string, kept: Json | undefined): readonly Stored[] {
  const elements = isJsonObject(kept) && isJsonList(kept["elements"]) ? kept["elements"] : [];
  return elements.filter(isJsonObject).flatMap(({ url, description }) => {
    const [name, ...path] = textOf(url).replace("https://acme.com/", "").split("/").map(decodeURIComponent);
    return name === facet ? [{ path, value: textOf(description) }] : [];
  });
}

/** What the aspect keeps of a facet at a place. */
function storedAt(facet: string, kept: Json | undefined, path: Path = []): readonly string[] {
  const own = storedOf(facet, kept).filter((each) => pathKey(each.path) === pathKey(path));
  return own.map(({ value }) => value);
}

const common = {
  aspects: () => [aspect],
  storedIn: () => aspect,
};

const schemaOfOne: JsonObject = {
  ...nonEmptyString,
  description: "A text; `none` for none.",
  examples: ["x"],
};
const schemaOfFields: JsonObject = {
  if: { type: "object" },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { a: nonEmptyString, b: nonEmptyString }, additionalProperties: false },
  else: { const: "none" },
  description: "Fields; `none` for none.",
  examples: [{ a: "x", b: "y" }, {}],
};
const schemaOfList: JsonObject = {
  type: "array",
  items: nonEmptyString,
  description: "Texts; `[]` for none.",
  examples: [["x", "y"], []],
};
const schemaOfEither: JsonObject = {
  if: { type: "array" },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { items: nonEmptyString },
  else: nonEmptyString,
  description: "A text, or a list of texts.",
  examples: ["x", ["x", "y"]],
};

function parse(written: Json): { readonly value: string; readonly references: readonly [] } {
  return { value: textOf(written), references: [] };
}

function parseFields(written: Json): { readonly value: Fields; readonly references: readonly [] } {
  return { value: written as unknown as Fields, references: [] };
}

/** A single value is written as a proposal of its own, or edited. */
function scalarWrites(name: string): ScalarWrites {
  const edits = ({ path, after }: ScalarChange): readonly ListEdit[] => [
    {
      at: ["elements"],
      remove: [{ url: addressOf(name, path) }],
      add: after === null ? [] : [{ element: linkOf(name, path, after) }],
    },
  ];
  return {
    requests: (change) => [
      { type: "proposal", urn: change.urn, aspect, initial: { elements: [] }, set: {}, edits: edits(change) },
    ],
    editing: {
      aspect: () => aspect,
      edits,
    },
  };
}

/** A set is only edited. */
function setWrites(name: string): SetWrites<string> {
  return {
    editing: {
      aspect: () => aspect,
      edits: ({ path }, add, remove) => [
        {
          at: ["elements"],
          add: add.map((value) => ({ element: linkOf(name, path, value) })),
          remove: remove.map((value) => ({ url: addressOf(name, path), description: value })),
        },
      ],
    },
  };
}

const assets = ["Dataset", "Domain"] as const;

function scalar(name: string): Facet {
  return scalarFacet({
    ...common,
    name,
    kinds: assets,
    schema: name.includes("fields") ? schemaOfFields : schemaOfOne,
    parse: name.includes("fields") ? parseFields : parse,
    observe: ({ [aspect]: kept }) => valueIn(name, storedAt(name, kept)[0]),
    ...scalarWrites(name),
  });
}

function set(name: string): Facet {
  return setFacet<string>({
    ...common,
    name,
    kinds: assets,
    schema: schemaOfList,
    parse,
    observe: ({ [aspect]: kept }) => storedAt(name, kept),
    ...setWrites(name),
  });
}

/** Keys that are there where they have a value. */
const free: Keys = {
  description: "Values by any keys.",
  example: "a",
  plainNameOf: (key) => key,
};

type LeafShape = "scalar" | "fields" | "set" | "either";

interface MapOptions {
  readonly keys: readonly [Keys, ...Keys[]];
  readonly leaf: LeafShape;
}

/** Where a facet has both, the key decides. */
function shapeAt(leaf: LeafShape, path: Path): "scalar" | "set" {
  if (leaf === "either") return path.at(-1) === "a" ? "scalar" : "set";
  return leaf === "set" ? "set" : "scalar";
}

function map(name: string, { keys, leaf }: MapOptions): Facet {
  const ofColumns = keys[0] === columns;
  return mapFacet<string>({
    ...common,
    ...(ofColumns && { aspects: () => [aspect, "schemaMetadata"] }),
    name,
    kinds: ofColumns ? ["Dataset"] : assets,
    keys,
    schema: { scalar: schemaOfOne, fields: schemaOfFields, set: schemaOfList, either: schemaOfEither }[leaf],
    parse: leaf === "fields" ? parseFields : parse,
    observe: (aspects) => observed(name, aspects, { keys, leaf }),
    ...(leaf !== "set" && { scalar: scalarWrites(name) }),
    ...((leaf === "set" || leaf === "either") && { set: setWrites(name) }),
  });
}

function observed(name: string, aspects: JsonObject, { keys, leaf }: MapOptions): Observed {
  const byPlace = new Map<string, { readonly path: Path; readonly values: string[] }>();
  for (const { path, value } of storedOf(name, aspects[aspect])) {
    const known = byPlace.get(pathKey(path)) ?? { path, values: [] };
    byPlace.set(pathKey(path), known);
    known.values.push(value);
  }
  const leafOf = (path: Path, values: readonly string[]): Leaf =>
    shapeAt(leaf, path) === "set" ? setOf(values) : scalarOf(valueIn(name, values[0]));
  const stored = [...byPlace.values()].map(({ path, values }) => [path, leafOf(path, values)] as const);
  if (keys[0] !== columns) return { value: valueFrom(stored) };
  const { schemaMetadata } = aspects;
  // The list alone does not show which columns exist.
  if (schemaMetadata === undefined) {
    return {
      value: { shape: "map", entries: new Map() },
      ...(stored.length > 0 && { dormant: valueFrom(stored) }),
    };
  }
  const known = columnsIn(schemaMetadata);
  const below = (column: string) => stored.filter(([[first]]) => first === column);
  const entries = known.map((column) => {
    const own = below(column).map(([[, ...path], value]) => [path, value] as const);
    return [column, own.length > 0 || keys.length > 1 ? valueFrom(own) : leafOf([column], [])] as const;
  });
  return { value: { shape: "map", entries: new Map(entries) } };
}

function columnsIn(schema: Json | undefined): readonly string[] {
  const fields = isJsonObject(schema) && isJsonList(schema["fields"]) ? schema["fields"] : [];
  return fields.filter(isJsonObject).map(({ fieldPath }) => textOf(fieldPath));
}

const maps: Readonly<Record<string, MapOptions>> = {
  "columns.first_texts": { keys: [columns], leaf: "set" },
  "columns.second_texts": { keys: [columns], leaf: "set" },
  texts_by_key: { keys: [free], leaf: "set" },
  "columns.first_text": { keys: [columns], leaf: "scalar" },
  "columns.second_text": { keys: [columns], leaf: "scalar" },
  text_by_key: { keys: [free], leaf: "scalar" },
  fields_by_key: { keys: [free], leaf: "fields" },
  "columns.text_by_key": { keys: [columns, free], leaf: "scalar" },
  any_by_key: { keys: [free], leaf: "either" },
};

/** Two facets of each shape, also of several fields, and maps by two keys and with both shapes below. */
export const testFacets: readonly Facet[] = [
  scalar("first_text"),
  scalar("second_text"),
  scalar("first_fields"),
  scalar("second_fields"),
  set("first_texts"),
  set("second_texts"),
  ...Object.entries(maps).map(([name, options]) => map(name, options)),
];

/** The ends of two sets of edges between domains, which store them, and datasets. */
export const testEdges = [
  ["first_assets", "first_places"],
  ["second_assets", "second_places"],
] as const;

/** The facets of both ends. */
export const edgeFacets: readonly Facet[] = testEdges.flatMap(([name, inverse]) => [
  setFacet({
    ...common,
    name,
    kinds: ["Domain"],
    schema: schemaOfList,
    ...referenceTo("dataset"),
    edges: { inverse },
    observe: ({ [aspect]: kept }) => storedAt(name, kept).filter(isUrn),
    ...setWrites(name),
  }),
  setFacet({
    name: inverse,
    kinds: ["Dataset"],
    schema: schemaOfList,
    ...referenceTo("domain"),
    observe: () => [],
    add: () => [],
    remove: () => [],
  }),
]);

/** Whether there is a single value or a set at a place. */
export function shapesOf(facet: string, path: Path): "scalar" | "set" {
  const options = maps[facet];
  return options ? shapeAt(options.leaf, path) : /_(?:texts|assets)$/.test(facet) ? "set" : "scalar";
}
