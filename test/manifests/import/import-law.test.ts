import fc from "fast-check";
import { expect, test } from "vitest";
import { entityManifest } from "../../../src/manifests/edit/export/entity-manifest.ts";
import { formatted } from "../../../src/manifests/edit/format/formatted.ts";
import { manifestText } from "../../../src/manifests/edit/format/manifest-text.ts";
import { readImports } from "../../../src/manifests/import/import-files.ts";
import { type Entity, type FacetValue, memberKey } from "../../../src/model/state.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { anyCharacter } from "../../support/any-text.ts";
import { desiredOf, withFiles } from "../../support/manifest-files.ts";
import { counted, runsOf } from "../../support/runs.ts";

const numRuns = runsOf(80);

const text = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom("none", "a b", "A.B", "00123", "true", "# x", " a", "a\nb\n", "Größe"),
  },
  { weight: 8, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "urn:li:glossaryTerm:t", "urn:li:tag:t", "${X}") },
);
// Most names are unlike each other, so most ids are.
const name = fc.tuple(fc.nat(), text).map(([number, rest]) => `${number} ${rest}`);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const list = fc.array(text, { maxLength: 3 });
const ownersOfType = fc.record(
  {
    type: fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom("CUSTOM", "producer", "urn:li:ownershipType:a") },
      { weight: 1, arbitrary: text },
    ),
    typeUrn: optional(fc.constantFrom("urn:li:ownershipType:b", "c")),
    users: optional(list),
    groups: optional(list),
  },
  { requiredKeys: [] },
);
const owners = fc.oneof(ownersOfType, fc.array(ownersOfType, { maxLength: 2 }));
const entry = { id: optional(name), owners: optional(owners) };
const term = fc.record(
  {
    ...entry,
    name,
    description: text,
    term_source: optional(fc.oneof(fc.constant("EXTERNAL"), text)),
    source_ref: optional(text),
    source_url: optional(text),
    inherits: optional(list),
    contains: optional(list),
    values: optional(list),
    related_terms: optional(list),
    domain: optional(text),
    custom_properties: fc.anything(),
  },
  { requiredKeys: ["name", "description"] },
);
const terms = optional(fc.array(term, { maxLength: 3 }));
const { node } = fc.letrec<{ readonly node: unknown }>((tie) => ({
  node: fc.record(
    { ...entry, name, description: text, terms, nodes: fc.array(tie("node"), { maxLength: 2 }) },
    { requiredKeys: ["name", "description"] },
  ),
}));
const glossary = fc.record({
  version: fc.constant("1"),
  owners,
  terms,
  nodes: fc.array(node, { maxLength: 2 }),
});

const property = fc.record(
  {
    // DataHub refuses blanks in it.
    id: name.map((id) => id.replaceAll(/\s/g, "-")),
    type: fc.constantFrom("string", "NUMBER", "urn:li:dataType:datahub.date", "rich_text"),
    display_name: optional(text),
    description: optional(text),
    entity_types: fc.array(
      fc.constantFrom("dataset", "datahub.chart", "urn:li:entityType:datahub.schemaField"),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    cardinality: optional(fc.constantFrom("SINGLE", "MULTIPLE")),
    version: optional(fc.constantFrom(20_260_101_000_000, "20260101000000", "1.0.0")),
    allowed_values: optional(
      fc.array(
        fc.record(
          { value: fc.oneof(text, fc.double({ noNaN: true })), description: optional(text) },
          { requiredKeys: ["value"] },
        ),
        { maxLength: 3 },
      ),
    ),
    immutable: fc.boolean(),
    type_qualifier: fc.anything(),
  },
  { requiredKeys: ["id", "type", "entity_types"] },
);
const properties = fc.array(property, { minLength: 1, maxLength: 3 });

const product = fc.record(
  {
    id: name,
    domain: name,
    display_name: optional(text),
    description: optional(text),
    external_url: optional(text),
    assets: optional(
      fc.array(fc.constantFrom("urn:li:dashboard:(looker,a)", "urn:li:chart:(looker,b)"), { maxLength: 3 }),
    ),
    tags: optional(list),
    terms: optional(list),
    owners: optional(
      fc.array(
        fc.oneof(
          name,
          fc.record({ id: name, type: fc.constantFrom("producer", "urn:li:ownershipType:a", "DATAOWNER") }),
        ),
        { maxLength: 3 },
      ),
    ),
    properties: fc.anything(),
  },
  { requiredKeys: ["id", "domain"] },
);

function plain(value: FacetValue | undefined): unknown {
  return value?.shape === "set"
    ? value.members.map(memberKey)
    : value?.shape === "scalar"
      ? value.value
      : value;
}

function facetsOf({ facets }: Entity): unknown {
  // A list without elements is not declared.
  const filled = [...facets].filter(([, value]) => value.shape !== "set" || value.members.length > 0);
  return Object.fromEntries(filled.map(([facet, value]) => [facet, plain(value)]));
}

test.each<readonly [string, fc.Arbitrary<unknown>]>([
  ["glossary", glossary],
  ["list of structured properties", properties],
  ["data product", product],
])(
  "a %s has problems, or all that it declares is in formatted and valid manifests",
  counted,
  async (_, file) => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(file, fc.boolean(), async (content, enableAutoId) => {
        const { state, problems } = await withFiles({ "g.yml": JSON.stringify(content) }, (cwd) =>
          readImports(["g.yml"], cwd, { enableAutoId }),
        );
        if (problems.some(({ severity }) => severity === "error")) return;
        for (const entity of state.values()) {
          const manifest = entityManifest(entity, {
            names: new Map(),
            ignored: ignoring([]),
            isWanted: () => true,
            elsewhere: () => [],
          });
          const yaml = manifestText([manifest]);
          const read = await desiredOf(yaml);
          expect(formatted(yaml)).toBe(yaml);
          expect(read.problems.filter(({ severity }) => severity === "error")).toEqual([]);
          expect([...read.state.values()].map(facetsOf)).toEqual([facetsOf(entity)]);
          written += 1;
        }
      }),
      { numRuns },
    );
    expect(written).toBeGreaterThan(numRuns / 20);
  },
);
