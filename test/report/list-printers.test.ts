import { expect, test } from "vitest";
import type { ListedEntity } from "../../src/model/listing.ts";
import { scalarOf, setOf } from "../../src/model/state.ts";
import type { ListFormat } from "../../src/report/format.ts";
import { listPrinters } from "../../src/report/printers.ts";
import { listed } from "../plan/listing/listed.ts";
import { urn } from "../support/states.ts";

const alice = "urn:li:corpuser:alice@acme.com";
const invoices = listed(
  {
    domain: scalarOf("urn:li:domain:finance"),
    owners: setOf([
      { owner: "urn:li:corpGroup:team", type: "urn:li:ownershipType:__system__technical_owner" },
      { owner: alice, type: "urn:li:ownershipType:__system__data_steward" },
    ]),
    tags: setOf(["urn:li:tag:pii"]),
  },
  { platform: "snowflake", env: "PROD", declaredBy: { documents: false, rules: true } },
);
const hostile = listed(
  {},
  { urn: urn("urn:li:tag:=1+1"), kind: "Tag", name: '=HYPERLINK("x"),\n+1', violates: ["described"] },
);
const plus = listed({}, { urn: urn("urn:li:tag:plus"), kind: "Tag", name: "\t+1" });

const names = { "urn:li:domain:finance": "Finance", [alice]: "Alice Doe" };

function printed(format: ListFormat, entities: readonly ListedEntity[], byColumn = false): string {
  const printer = listPrinters[format]({ byColumn });
  const kinds = new Map<string, number>();
  for (const { kind } of entities) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const end = { entities: entities.length, declared: 1, kinds, unreadable: new Map() };
  const rows = entities.map((entity) => printer.entity(entity, names));
  return [printer.head("http://catalog"), ...rows, printer.end(end)].join("");
}

test("a list as CSV has a record for each entity, quoted, and no formulas", () => {
  expect(printed("csv", [invoices, hostile, plus]).split("\r\n")).toMatchInlineSnapshot(`
    [
      "urn,kind,name,platform,env,domain,owners,tags,glossary_terms,declared",
      ""urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD)","Dataset","orders","snowflake","PROD","urn:li:domain:finance","urn:li:corpGroup:team (TECHNICAL_OWNER); urn:li:corpuser:alice@acme.com (DATA_STEWARD)","urn:li:tag:pii","","true"",
      ""urn:li:tag:=1+1","Tag","'=HYPERLINK(""x""),
    +1","","","","","","","false"",
      ""urn:li:tag:plus","Tag","'	+1","","","","","","","false"",
      "",
    ]
  `);
});

/** The name in each record of a CSV text whose cells are in quotes. */
function namesIn(csv: string): readonly (string | undefined)[] {
  const records = csv.match(/(?:"(?:[^"]|"")*",?)+\r\n/g) ?? [];
  return records
    .map((record) => Array.from(record.matchAll(/"((?:[^"]|"")*)"/g), ([, cell]) => cell)[2])
    .map((name) => name?.replaceAll('""', '"'));
}

test.each([
  ["a tab, a return and a line end stay", 'one\ttab, \r return\nand "line"', undefined],
  ["a tab at the start", "\tTab", "'\tTab"],
  ["a return at the start", "\rReturn", "'\rReturn"],
  ["a formula", "=1+1", "'=1+1"],
  ["a formula after a semicolon", "a;=cmd|'/C calc'!A0;b", "a;'=cmd|'/C calc'!A0;b"],
  ["a formula in one of several values", "a; -1;\t@x", "a; '-1;'\t@x"],
  ["full-width signs", "＝1;＋1;－1;＠1", "'＝1;'＋1;'－1;'＠1"],
  ["a sign in the middle", "a-b+c=d; e", undefined],
  ["what a terminal would take for a command", "a\u001B[2Jb\n::error::c", "a\uFFFD[2Jb\n'::error::c"],
])("CSV keeps a text but for what a spreadsheet or a terminal would run: %s", (_, name, written = name) => {
  expect(namesIn(printed("csv", [{ ...invoices, name }]))).toEqual([written]);
});

test("a list as text has each entity with its URN on one line, and sums up by kinds", () => {
  expect(printed("text", [invoices, hostile])).toMatchInlineSnapshot(`
    "Dataset urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD)
      domain: Finance; owners: team as TECHNICAL_OWNER, Alice Doe as DATA_STEWARD; tags: pii; declared
    Tag urn:li:tag:=1+1
      name: =HYPERLINK("x"),�+1; violates: described; not declared

    2 entities (1 dataset, 1 tag), 1 declared.
    "
  `);
  expect(printed("text", [])).toBe("No entities found.\n");
});

test("a list as Markdown is a table in which values are text", () => {
  expect(printed("markdown", [invoices, hostile])).toMatchInlineSnapshot(`
    "| urn | kind | name | platform | env | domain | owners | tags | glossary\\_terms | declared |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD) | Dataset | orders | snowflake | PROD | urn:li:domain:finance | urn:li:corpGroup:team (TECHNICAL\\_OWNER); urn:li:corpuser:alice@&#8203;acme.com (DATA\\_STEWARD) | urn:li:tag:pii |  | true |
    | urn:li:tag:=1+1 | Tag | =HYPERLINK("x"),�+1 |  |  |  |  |  |  | false |

    2 entities (1 dataset, 1 tag), 1 declared.
    "
  `);
});

test("a list of columns names each column", () => {
  const column = { ...invoices, column: "email" };

  expect(printed("csv", [column], true)).toContain(`\r\n"${invoices.urn}","email","Dataset","orders",`);
  expect(printed("csv", [column], true)).toMatch(/^urn,column,kind,name,/);
  expect(printed("text", [column], true)).toContain(`Dataset ${invoices.urn} email\n`);
  expect(printed("text", [column], true)).toContain("\n1 column, 1 declared.\n");
  expect(JSON.parse(printed("json", [column], true))).toMatchObject({ entities: [{ column: "email" }] });
});

test.each(["text", "csv", "json", "markdown"] as const)(
  "a list as %s has entities whose URN no address can contain",
  (format) => {
    const half = listed({}, { urn: urn("urn:li:tag:\uD800"), kind: "Tag", name: "half \uDC00" });

    expect(printed(format, [half])).not.toBe("");
  },
);
