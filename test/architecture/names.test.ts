import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { facets } from "../../src/facets/index.ts";
import { kinds } from "../../src/kinds/index.ts";
import { problemCodes } from "../../src/report/document/problems.ts";

const root = join(import.meta.dirname, "../../src");

// The local catalog is another program: it knows DataHub's entities and aspects, and none of our kinds and facets.
// A file format of another program says what of it is which of ours.
const allowed = /^(?:facets|kinds|local-catalog|manifests\/import-formats)\//;

const names = new Set<string>([...kinds, ...facets].map(({ name }) => name));

// A column of the sample catalog is called like a facet, and so are a metric, and keys and values of the settings about reviews.
// Servers and settings have versions.
const columns: Readonly<Record<string, readonly string[]>> = {
  "cli/demo/ui-edits.ts": ['"email"'],
  "report/metrics.ts": ['"values"'],
  "datahub/aspect-client.ts": ['"version"'],
  "datahub/server-config.ts": ['"version"'],
  "manifests/schema/schema.ts": ['"version"'],
  "cli/github/owner-reviews.ts": ['"owners"', '"groups"'],
  "manifests/schema/review-fields.ts": ['"owners"'],
  "manifests/settings/settings-content.ts": ['"owners"', '"groups"'],
};

// A comment, or a string with its quotes. A type that picks a property by name (`G["name"]`, `Pick<T, "name">`) is no string.
const tokens =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|\b[A-Z]\w*\["[^"\n]*"\]|\b(?:Pick|Omit)<[^>]*>|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

// The test of a message needs arguments of real kinds and facets. A new kind or facet needs none.
const samples = /^ {4}samples: \[[\s\S]*?\],$/gm;

/** The lines of a source in which a string is the name of a kind or facet. */
function named(source: string): readonly string[] {
  return [...source.replaceAll(samples, "").matchAll(tokens)].flatMap(({ 0: token, index }) => {
    const isString = /^["'`]/.test(token) && names.has(token.slice(1, -1));
    return isString ? [`line ${source.slice(0, index).split("\n").length}: ${token}`] : [];
  });
}

/** The texts of a source that list kinds or facets: with the next one they would be wrong. */
function listedIn(source: string): readonly string[] {
  const nouns = ["owners?", ...kinds.flatMap(({ noun, plural }) => [noun, plural])].join("|");
  const list = new RegExp(`\\b(?:${nouns})(?:,| and| or) (?:${nouns})\\b`, "i");
  const found = [...source.matchAll(tokens)].map(([token]) => token);
  return found.filter((token) => /^["'`]/.test(token) && list.test(token));
}

/** The identifiers of a source that name a kind or a facet in one of their words. */
function namingIn(source: string): readonly string[] {
  const code = source.replaceAll(tokens, " ");
  const found = [...code.matchAll(/[A-Za-z_]\w*/g)].map(([identifier]) => identifier);
  return [...new Set(found)].filter((identifier) => naming.test(asWords(identifier)));
}

/** `datasetUrn` as ` dataset urn `. */
function asWords(identifier: string): string {
  return ` ${identifier
    .replaceAll(/[A-Z]+/g, (letters) => ` ${letters}`)
    .replaceAll(/[_.-]/g, " ")
    .toLowerCase()
    .trim()} `;
}

// Fields have names of every day, such as `title`, and so have some relations. Edges that are declared from both ends are between
// groups and members, whatever they are called; and assets are all that is observed.
const edges = /^(?:members?|groups?|users?|assets|values|contains)$/;

const naming = new RegExp(
  ` (?:${[
    ...facets.filter(({ refersTo }) => refersTo.length > 0).map(({ name }) => name),
    ...kinds.flatMap(({ noun, plural }) => [noun, plural]),
  ]
    .map((text) => asWords(text).trim())
    .filter((text) => !edges.test(text))
    .join("|")})s? `,
);

/** Identifiers with another meaning, or of what the contracts say in general, each with the files that have them. */
const others: readonly (readonly [files: RegExp, identifiers: RegExp])[] = [
  // Tags of YAML, and of Git.
  [/^(?:manifests|git)\/|model\/problems\/yaml\.ts$/, /tags?$|^tag|Tags/i],
  // Nodes of a YAML document that have others in them.
  [/^manifests\/edit\//, /^isContainer$/],
  // Who is responsible for an entity, whatever says so: `isOwnership`.
  [/^/, /owners/i],
  // The part of a catalog that `--domain` selects.
  [
    /^(?:cli|workflow)\/|model\/plan-scope\.ts$|plan\/align\/select\.ts$|report\//,
    /^(?:in|parse)?domains?$/i,
  ],
  // What assets are in: `containing`.
  [/^sync\/|model\/rule\.ts$/, /containers?/i],
];

function isOther(file: string, identifier: string): boolean {
  return others.some(([places, identifiers]) => places.test(file) && identifiers.test(identifier));
}

// What the demo tells of its own catalog, and how the program introduces itself.
const introductions = /^cli\/(?:demo\/|program\.ts$)/;

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !allowed.test(file))
  .toSorted();

describe("outside src/facets and src/kinds", () => {
  test.each(files)("%s names no facet and no kind", (file) => {
    const found = named(readFileSync(join(root, file), "utf8"));
    const isColumn = (line: string): boolean => (columns[file] ?? []).some((column) => line.endsWith(column));
    expect(found.filter((line) => !isColumn(line))).toEqual([]);
  });

  test.each(files)("no identifier of %s names one", (file) => {
    const found = namingIn(readFileSync(join(root, file), "utf8"));
    expect(found.filter((identifier) => !isOther(file, identifier))).toEqual([]);
  });

  test.each(files.filter((file) => !introductions.test(file)))("no text of %s lists some", (file) => {
    expect(listedIn(readFileSync(join(root, file), "utf8"))).toEqual([]);
  });

  test("no code of a problem names one", () => {
    const codes = problemCodes.filter((code) => naming.test(asWords(code)));
    // Of YAML.
    expect(codes).toEqual(["unknown-tag"]);
  });
});

test.each([
  ['if (facet === "members") return;', ['line 1: "members"']],
  ['const kind = "Tag";\nconst other = `Dataset`;', ['line 1: "Tag"', "line 2: `Dataset`"]],
  ['// "members"\n/* "Tag" */', []],
  ["meaning: \"a user's `groups` and a group's `members`\"", []],
  ['type A = G["name"]; type B = Pick<A, "name" | "title">;', []],
  ['const value = aspect["name"];', ['line 1: "name"']],
])("in %j it finds %j", (source, found) => {
  expect(named(source)).toEqual(found);
});

test.each([
  ["const tagUrns = [];", ["tagUrns"]],
  ["function withColumnsTags(parentDomain) {}", ["withColumnsTags", "parentDomain"]],
  ["const stages = groupBy(usersOf(members)); // tags", []],
])("the identifiers of %j that name one are %j", (source, found) => {
  expect(namingIn(source)).toEqual(found);
});

test.each([
  ['const text = "a dataset or container";', ['"a dataset or container"']],
  ['const text = "tags of datasets, such as `pii`";', []],
])("the texts of %j that list some are %j", (source, found) => {
  expect(listedIn(source)).toEqual(found);
});
