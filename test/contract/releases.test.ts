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
  readonly differences: (
    before: string,
    after: string,
  ) => Readonly<Record<"removed" | "added", readonly string[]>>;
}

const script = new URL("releases.mjs", import.meta.url).href;
const { schemaLines, aspectLines, differences }: Script = await import(script);

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

// `npm run releases -- --write NAME SCHEMA,RECORDS` makes a record again.
test.each(names)("the record of %s is that of its schema, and of all aspects that are used", (name) => {
  const record = recordOf(name);
  expect(record).toContain(`\n${schemaLines(used, schemaIn(`datahub-${name}.graphql`)).join("\n")}\n`);
  const lines = new Set(record.split("\n").map((line) => line.replace(/: \w+$/, "")));
  const missing = Object.entries(used.aspects).flatMap(([type, aspects]) =>
    aspects.map((aspect) => `${type}.${aspect}`).filter((each) => !lines.has(each)),
  );
  expect(missing).toEqual([]);
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
