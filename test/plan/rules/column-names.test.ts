import { describe, expect, test } from "vitest";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { withColumnsAsDocumented } from "../../../src/plan/rules/column-names.ts";
import { assetNamed } from "../../support/assets.ts";
import { datasetNamed, entityOf } from "../../support/states.ts";

const [id, otherId] = ["[version=2.0].[type=string].id", "[version=2.0].[type=int].id"] as const;
const pii = setOf(["urn:li:tag:pii"]);

const tagged = (...columns: readonly string[]): FacetValue => ({
  shape: "map",
  entries: new Map(columns.map((column) => [column, pii])),
});

type Facets = ReadonlyMap<string, FacetValue>;

interface Given {
  readonly ruled: Facets;
  readonly documented: Readonly<Record<string, FacetValue>>;
  readonly paths?: readonly string[];
}

const named = ({ ruled, documented, paths }: Given): Facets => {
  const entity = entityOf("Dataset", datasetNamed("a"), documented);
  return withColumnsAsDocumented(ruled, entity, assetNamed("a", paths && { paths }));
};

/** The columns that are named where rules and a document declare their tags. */
const columnsNamed = (
  ruled: readonly string[],
  documented: readonly string[],
  paths: readonly string[],
): readonly string[] => {
  const tags = new Map([["columns.tags", tagged(...ruled)]]);
  const value = named({ ruled: tags, documented: { "columns.tags": tagged(...documented) }, paths });
  return [...(value.get("columns.tags") as ReturnType<typeof tagged> & { shape: "map" }).entries.keys()];
};

describe("a column that rules and a document declare is named", () => {
  test.each<readonly [string, readonly string[], readonly string[], readonly string[]]>([
    ["by its plain name where the document does so", ["id"], [id], ["id"]],
    ["by its path where the document does so", [id], [id], [id]],
    ["by its path where the document names it by both", [id, "id"], [id], [id]],
    ["by the first name where the document names it twice", ["id", id], [id], ["id"]],
    ["by its path where two columns have the plain name", ["id"], [id, otherId], [id]],
    ["by its path where the document names another column", ["email"], [id, "email"], [id]],
    ["by its path where no column is known", ["id"], [], [id]],
  ])("%s", (_, documented, paths, expected) => {
    expect(columnsNamed([id], documented, paths)).toEqual(expected);
  });
});

test("columns keep their values and their order, and other facets are as they were", () => {
  const ruled = new Map<string, FacetValue>([
    ["columns.tags", tagged("email", id)],
    ["domain", scalarOf("urn:li:domain:finance")],
  ]);
  const documented = { "columns.tags": tagged("id") };

  expect([...named({ ruled, documented, paths: [id, "email"] })]).toEqual([
    ["columns.tags", tagged("email", "id")],
    ["domain", scalarOf("urn:li:domain:finance")],
  ]);
});

describe("what rules declare is shared by assets, and not made again,", () => {
  const structured = "urn:li:structuredProperty:retention";
  const retention: FacetValue = { shape: "map", entries: new Map([[structured, scalarOf(30)]]) };
  const ofColumns = new Map([["columns.tags", tagged(id)]]);
  test.each<readonly [string, Given]>([
    ["where a document says nothing of columns", { ruled: ofColumns, documented: {}, paths: [id] }],
    [
      "where it names them as rules do",
      { ruled: ofColumns, documented: { "columns.tags": tagged(id) }, paths: [id] },
    ],
    ["where the columns are not known", { ruled: ofColumns, documented: { "columns.tags": tagged("id") } }],
    [
      "where the keys are no columns",
      {
        ruled: new Map([["structured_properties", retention]]),
        documented: { structured_properties: tagged("id") },
        paths: [structured],
      },
    ],
  ])("%s", (_, given) => {
    expect(named(given)).toBe(given.ruled);
  });
});
