import { describe, expect, test } from "vitest";
import type { Coverage, CoverageCounts } from "../../src/model/listing.ts";
import { comparedCoverage } from "../../src/plan/listing/coverage.ts";
import { coverageFormats } from "../../src/report/format.ts";
import { coveragePrinters } from "../../src/report/printers.ts";
import { parseCoverage } from "../../src/report/saved/saved-coverage.ts";

const half = "urn:li:container:\uD800";
const [team, finance] = ["urn:li:corpGroup:team", "urn:li:domain:finance"];

function counts(assets: number, more: Partial<CoverageCounts>, facets: object): CoverageCounts {
  const none = { domain: 0, owners: 0, tags: 0, glossary_terms: 0, description: 0 };
  const numbers = new Map(Object.entries<number>({ ...none, ...facets }));
  return { assets, declared: 0, documents: 0, rules: 0, ...more, facets: numbers };
}

const coverage: Coverage = {
  target: "http://catalog",
  createdAt: "1970-01-01T00:00:00.000Z",
  by: "domain",
  groups: [
    { key: "", ...counts(3, { declared: 1, rules: 1 }, { owners: 1, tags: 1 }) },
    { key: finance, ...counts(1, { declared: 1, documents: 1, rules: 1 }, { domain: 1, owners: 1 }) },
  ],
  total: counts(4, { declared: 2, documents: 1, rules: 2 }, { domain: 1, owners: 2, tags: 1 }),
  policies: [{ id: "owned", matched: 3, passes: 2 }],
};

const later: Coverage = {
  ...coverage,
  createdAt: "1970-01-02T00:00:00.000Z",
  groups: [{ key: "", ...counts(5, {}, { owners: 4, tags: 1 }) }],
  total: counts(5, {}, { owners: 4, tags: 1 }),
  policies: [{ id: "owned", matched: 4, passes: 4 }],
};
const compared = comparedCoverage(later, coverage);
const names = { [finance]: "Finance", [team]: "Team" };

describe("coverage is printed", () => {
  test("as text, with names and shares", () => {
    expect(coveragePrinters.text(coverage, names, {})).toMatchInlineSnapshot(`
      "no domain  3 assets
        domain 0%, owners 33%, tags 33%, glossary_terms 0%, description 0%, declared 33% (rules 1)
      Finance  1 asset
        domain 100%, owners 100%, tags 0%, glossary_terms 0%, description 0%, declared 100% (documents 1, rules 1, both 1)

      policy owned: 2 of 3 pass (66%)

      4 assets: domain 25%, owners 50%, tags 25%, glossary_terms 0%, description 0%, declared 50% (documents 1, rules 2, both 1).
      "
    `);
    const nothing = { ...coverage, groups: [], total: counts(0, {}, {}), policies: [] };
    expect(coveragePrinters.text(nothing, {}, {})).toBe("No assets found.\n");
  });

  test.each(coverageFormats)("as %s, of a container that no address can contain", (format) => {
    const ofHalf = { ...coverage, by: "container", groups: [{ key: half, ...counts(1, {}, {}) }] } as const;

    expect(coveragePrinters[format](ofHalf, {}, { links: "https://datahub.acme.com" })).not.toBe("");
  });

  test("as CSV, with a record for each group and one for all", () => {
    expect(coveragePrinters.csv(coverage, {}, {}).split("\r\n")).toMatchInlineSnapshot(`
      [
        "key,assets,declared,documents,rules,domain,owners,tags,glossary_terms,description",
        """,3,1,0,1,0,1,1,0,0",
        ""urn:li:domain:finance",1,1,1,1,1,1,0,0,0",
        ""total",4,2,1,2,1,2,1,0,0",
        "",
      ]
    `);
  });

  test("as a table in Markdown", () => {
    expect(coveragePrinters.markdown(coverage, {}, {})).toMatchInlineSnapshot(`
      "| key | assets | declared | documents | rules | domain | owners | tags | glossary\\_terms | description |
      | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
      |  | 3 | 1 | 0 | 1 | 0 | 1 | 1 | 0 | 0 |
      | urn:li:domain:finance | 1 | 1 | 1 | 1 | 1 | 1 | 0 | 0 | 0 |

      - policy owned: 2 of 3 pass (66%)

      4 assets: domain 25%, owners 50%, tags 25%, glossary_terms 0%, description 0%, declared 50% (documents 1, rules 2, both 1).
      "
    `);
  });
});

describe("the difference of a coverage to an earlier one is printed", () => {
  test("as text, with when that was", () => {
    expect(coveragePrinters.text(compared, names, {})).toMatchInlineSnapshot(`
      "no domain  5 assets (+2)
        domain 0%, owners 80% (+3 assets), tags 20%, glossary_terms 0%, description 0%, declared 0% (-1 asset)
      Finance  0 assets (-1)
        domain 0% (-1 asset), owners 0% (-1 asset), tags 0%, glossary_terms 0%, description 0%, declared 0% (-1 asset)

      policy owned: 4 (+2) of 4 (+1) pass (100%)

      Compared with 1970-01-01T00:00:00.000Z.
      5 assets (+1): domain 0% (-1 asset), owners 80% (+2 assets), tags 20%, glossary_terms 0%, description 0%, declared 0% (-2 assets).
      "
    `);
  });

  test("as CSV, in columns after the counts", () => {
    expect(coveragePrinters.csv(compared, {}, {}).split("\r\n")).toMatchInlineSnapshot(`
      [
        "key,assets,declared,documents,rules,domain,owners,tags,glossary_terms,description,assets_difference,declared_difference,documents_difference,rules_difference,domain_difference,owners_difference,tags_difference,glossary_terms_difference,description_difference",
        """,5,0,0,0,0,4,1,0,0,2,-1,0,-1,0,3,0,0,0",
        ""urn:li:domain:finance",0,0,0,0,0,0,0,0,0,-1,-1,-1,-1,-1,-1,0,0,0",
        ""total",5,0,0,0,0,4,1,0,0,1,-2,-1,-2,-1,2,0,0,0",
        "",
      ]
    `);
  });

  test("as Markdown, in brackets", () => {
    expect(coveragePrinters.markdown(compared, {}, {})).toMatchInlineSnapshot(`
      "| key | assets | declared | documents | rules | domain | owners | tags | glossary\\_terms | description |
      | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
      |  | 5 (+2) | 0 (-1) | 0 | 0 (-1) | 0 | 4 (+3) | 1 | 0 | 0 |
      | urn:li:domain:finance | 0 (-1) | 0 (-1) | 0 (-1) | 0 (-1) | 0 (-1) | 0 (-1) | 0 | 0 | 0 |

      - policy owned: 4 (+2) of 4 (+1) pass (100%)

      Compared with 1970-01-01T00:00:00.000Z.

      5 assets (+1): domain 0% (-1 asset), owners 80% (+2 assets), tags 20%, glossary_terms 0%, description 0%, declared 0% (-2 assets).
      "
    `);
  });

  test("as JSON, by group", () => {
    expect(JSON.parse(coveragePrinters.json(compared, {}, {}))).toMatchObject({
      difference: {
        groups: [
          { key: "", assets: 2, owners: 3 },
          { key: finance, assets: -1, owners: -1 },
        ],
        total: { assets: 1, domain: -1, owners: 2, tags: 0 },
        policies: [{ id: "owned", matched: 1, passes: 2 }],
      },
    });
  });

  test("as a page, in parentheses that it explains", () => {
    const page = coveragePrinters.html(compared, names, {});

    expect(page).toContain("4 (+2)");
    expect(page).toContain("Numbers in parentheses show the change since ");
  });
});

test("a coverage that was printed as JSON is read as it was", () => {
  expect(parseCoverage(coveragePrinters.json(coverage, {}, {}))).toEqual({ coverage });
});

test.each([
  ["is something else", '{ "formatVersion": "1" }', "foreign"],
  ["lacks its numbers", '{ "formatVersion": "1", "by": "kind", "total": {} }', "invalid"],
])("a coverage that %s is a fault", (_, text, fault) => {
  expect(parseCoverage(text)).toMatchObject({ fault });
});
