import { readdirSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSchema, type GraphQLSchema } from "graphql";
import { expect, test } from "vitest";
import { type Spoken, spoken } from "./spoken.ts";

interface Script {
  readonly schemaLines: (used: Spoken, schema: GraphQLSchema) => readonly string[];
  readonly aspectLines: (used: Pick<Spoken, "aspects">, schemas: readonly object[]) => readonly string[];
  readonly renewed: (record: string, name: string, used: Spoken, schema: GraphQLSchema) => string;
  readonly differences: (
    before: string,
    after: string,
  ) => Readonly<Record<"removed" | "added", readonly string[]>>;
}

const script = new URL("releases.mjs", import.meta.url).href;
const { schemaLines, aspectLines, renewed, differences }: Script = await import(script);

const folder = join(import.meta.dirname, "releases");
const names = readdirSync(folder).flatMap((name) => (name.endsWith(".txt") ? [name.slice(0, -4)] : []));
const recordOf = (name: string): string => readFileSync(join(folder, `${name}.txt`), "utf8");
const schemaIn = (path: string): GraphQLSchema =>
  buildSchema(readFileSync(join(import.meta.dirname, path), "utf8"));
const used = spoken(schemaIn("../../schemas/catalog.graphql"));

test("the list of what this program uses of DataHub is that of its documents, kinds and facets", async () => {
  await expect(`${JSON.stringify(used, null, 1)}\n`).toMatchFileSnapshot("releases/spoken.json");
});

test("there is a record of each release whose schema is here", () => {
  const schemas = readdirSync(import.meta.dirname).flatMap(
    (name) => /^datahub-(.*)\.graphql$/.exec(name)?.[1] ?? [],
  );
  expect(names.toSorted()).toEqual(schemas.toSorted());
});

// `npm run releases -- --write NAME SCHEMA,RECORDS` makes a record again, with what the release has of aspects.
test.each(names)(
  "the record of %s is that of its schema, and names all aspects that are used",
  async (name) => {
    const record = renewed(recordOf(name), name, used, schemaIn(`datahub-${name}.graphql`));
    await expect(record).toMatchFileSnapshot(`releases/${name}.txt`);
  },
);

test("a record that is made again without records keeps them, and says which aspects it does not know", () => {
  const schema = buildSchema("type Query { b: String } enum E { B }");
  const old =
    "old\n\n## Aspects\n\ntag.tagKept: there\ntag.tagOnce: there\n\n## Records\n\ntag.TagKept.a!: s\n";
  const [, kept] = renewed(old, "x", small, schema).split("\n## Aspects\n");
  expect(kept).toBe(
    "\ntag.tagKept: there\ntag.tagOther: unknown\ngone.x: unknown\n\n## Records\n\ntag.TagKept.a!: s\n",
  );
});

const small: Spoken = {
  fields: ["Query.a(x, y)", "Query.b"],
  inputs: ["In.x", "In.y"],
  enums: ["E"],
  aspects: { tag: ["tagKept", "tagOther"], gone: ["x"] },
};

test("a record has what is used, what is required, and what a release lacks", () => {
  const schema = buildSchema(
    "type Query { a(x: Int, z: Int!, other: Int): String, c: Int } input In { x: Int, must: Int! } enum E { B A }",
  );
  expect(schemaLines(small, schema).filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    "Query.a(x: Int, y: absent, z: Int!): String",
    "Query.b: absent",
    "In.must: Int!",
    "In.x: Int",
    "In.y: absent",
    "E = A B",
  ]);
});

test("a record has the aspects of each type, and the fields of their records", () => {
  const namespace = "com.linkedin.pegasus2avro.tag";
  const key = { type: "record", name: "TagKey", namespace, fields: [] };
  const kept = { type: "record", name: "TagKept", namespace, fields: [{ name: "a", type: "string" }] };
  const schemas = [
    { ...key, Aspect: { name: "tagKey", keyForEntity: "tag", entityAspects: ["tagKept"] } },
    { ...kept, Aspect: { name: "tagKept" } },
  ];
  expect(aspectLines(small, schemas).filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    "tag.tagKept: there\ntag.tagOther: absent",
    "gone.x: absent",
    "tag.TagKept.a!: s",
  ]);
});

test("the script prints what differs between two releases, and writes both records", () => {
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(script), "v1.4.0", "v1.7.0"], {
    encoding: "utf8",
  });
  expect(stdout).toMatch(/^v1\.4\.0 → v1\.7\.0: \d+ lines only in the old one, \d+ only in the new one\n/);
  expect(stdout).toContain("\n- DomainAssociation.attribution: absent\n");
  expect(stdout).toContain("\n+ DomainAssociation.attribution: MetadataAttribution\n");
  const [, older = "", newer = ""] = /^git diff --no-index (\S+) (\S+)$/m.exec(stdout) ?? [];
  expect([older, newer].map((file) => readFileSync(file, "utf8"))).toEqual(
    ["v1.4.0", "v1.7.0"].map(recordOf),
  );
});

test("two records differ in the lines that one of them has", () => {
  expect(differences("# a\nx: Int\ny: Int\n", "# b\nx: Int!\ny: Int\n")).toEqual({
    removed: ["x: Int"],
    added: ["x: Int!"],
  });
});

test("no recorded release lacks what an earlier one has", () => {
  const order = names.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const gone = order.slice(1).flatMap((name, index) => {
    const { removed, added } = differences(recordOf(order[index] ?? ""), recordOf(name));
    const still = new Set(added.map((line) => line.replace(/[(:=].*$/, "")));
    return removed.filter((line) => !still.has(line.replace(/[(:=].*$/, "")));
  });
  expect(gone).toEqual([]);
});
