import { assetKinds, definitionKinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { WriteMode } from "../../../src/model/operation.ts";
import { expectThat } from "../expect-equal.ts";
import { makeAsset } from "../made-assets.ts";
import { textOfRound } from "../texts.ts";
import type { Trial, Trying } from "../trial.ts";

const rowOf = ({ name }: Kind, writes: WriteMode): string => `values of others on ${name}, writes: ${writes}`;

const ways: readonly WriteMode[] = ["graphql", "conditional"];

/**
 * What others have in the aspects that the tool writes stays as it is: when a value of ours comes beside it, becomes another one, and
 * goes again.
 */
export const bystanders: Trial = {
  name: "bystanders",
  tries: ways.flatMap((writes) => [...assetKinds, ...definitionKinds].map((kind) => rowOf(kind, writes))),
  run: async (trying) => {
    trying.declare({ "definitions.yaml": definitionsOf(trying) });
    trying.goOn(await trying.apply());
    for (const writes of ways) {
      trying.settings({ writes, manage: "merge", prune: { assignments: true, kinds: [] } });
      for (const kind of assetKinds) await makeAsset(trying, kind, writes);
      for (const kind of [...assetKinds, ...definitionKinds]) await seed(trying, kind, writes);
      for (const round of [0, 1, undefined] as const) {
        trying.declare({ "ours.yaml": oursOf(trying, writes, round) });
        const applied = await trying.apply(...(round === undefined ? ["--prune"] : []));
        for (const kind of [...assetKinds, ...definitionKinds])
          await trying.check(rowOf(kind, writes), () => expectKept(trying, kind, writes), applied);
        trying.goOn(applied);
      }
      trying.declare({ "ours.yaml": undefined });
    }
  },
};

/** What is assigned, by others and by the tool. */
function definitionsOf({ id, urn }: Trying): readonly JsonObject[] {
  const documents = definitionKinds.flatMap((kind) =>
    ["theirs", "ours"].map((name) => {
      urn(kind.entityType, name);
      return { kind: kind.name, id: id(name) };
    }),
  );
  const properties = documents.filter(({ kind }) => kind === "StructuredProperty");
  const types = [...assetKinds.map(({ entityType }) => entityType), "schemaField"];
  for (const each of properties) Object.assign(each, { entity_types: types, cardinality: "MULTIPLE" });
  return documents;
}

const aspectText = (what: string): string => textOfRound(1, `of others: ${what}`);
const stamp = { time: 1_700_000_000_000, actor: "urn:li:corpuser:datahub" };

/** What others have in the aspects of an asset. */
function ofAsset({ urn }: Trying, kind: Kind): Readonly<Record<string, JsonObject>> {
  return {
    globalTags: { tags: [{ tag: urn("tag", "theirs"), context: aspectText("context") }] },
    glossaryTerms: {
      auditStamp: stamp,
      terms: [{ urn: urn("glossaryTerm", "theirs"), context: aspectText("context") }],
    },
    ownership: {
      owners: [
        {
          owner: urn("corpuser", "theirs"),
          type: "DATAOWNER",
          source: { type: "MANUAL", url: "https://example.com/theirs" },
        },
      ],
      lastModified: stamp,
    },
    institutionalMemory: {
      elements: [{ url: "https://example.com/theirs", description: aspectText("label"), createStamp: stamp }],
    },
    structuredProperties: {
      properties: [
        {
          propertyUrn: urn("structuredProperty", "theirs"),
          values: [{ string: aspectText("value") }],
        },
      ],
    },
    ...(kind.name === "Dataset" && {
      editableDatasetProperties: { created: stamp, lastModified: stamp, name: aspectText("name") },
    }),
    ...(kind.matching?.hasColumns === true && {
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          {
            fieldPath: "name",
            description: aspectText("column"),
            globalTags: { tags: [{ tag: urn("tag", "theirs"), context: aspectText("context") }] },
          },
        ],
      },
    }),
  };
}

/** What others have in the aspects of a definition, beside what is required. */
const ofDefinitions: Readonly<Record<string, readonly [aspect: string, more: JsonObject]>> = {
  Domain: ["domainProperties", { name: aspectText("name"), customProperties: { a: aspectText("custom") } }],
  Tag: ["tagProperties", { name: aspectText("name"), colorHex: "#112233" }],
  GlossaryNode: [
    "glossaryNodeInfo",
    { name: aspectText("name"), customProperties: { a: aspectText("custom") } },
  ],
  GlossaryTerm: [
    "glossaryTermInfo",
    { name: aspectText("name"), customProperties: { a: aspectText("custom") } },
  ],
  DataProduct: [
    "dataProductProperties",
    { name: aspectText("name"), customProperties: { a: aspectText("custom") } },
  ],
  User: ["corpUserInfo", { title: aspectText("title"), customProperties: { a: aspectText("custom") } }],
  Group: ["corpGroupInfo", { displayName: aspectText("name"), slack: "#theirs" }],
  StructuredProperty: [
    "propertyDefinition",
    { displayName: aspectText("name"), searchConfiguration: { fieldType: "KEYWORD" } },
  ],
};

async function seed(trying: Trying, kind: Kind, name: string): Promise<void> {
  const of = trying.urnOf(kind, name);
  for (const [aspect, value] of Object.entries(valuesOf(trying, kind))) {
    const required = kind.initial(trying.id(name))[aspect];
    await trying.stored.propose(of, aspect, { ...required, ...value });
  }
}

/** What others have in the aspects of an entity. */
function valuesOf(trying: Trying, kind: Kind): Readonly<Record<string, JsonObject>> {
  const [aspect, more] = ofDefinitions[kind.name] ?? [];
  return aspect === undefined || !more ? ofAsset(trying, kind) : { [aspect]: more };
}

/** What the tool has beside that: in a round a text and a value of each list. */
function oursOf(trying: Trying, name: string, round: 0 | 1 | undefined): readonly JsonObject[] {
  const { id, urnOf } = trying;
  const text = round === undefined ? undefined : textOfRound(round, "ours");
  const assets = assetKinds.map((kind): JsonObject => ({
    kind: kind.name,
    ...kind.identityOf(urnOf(kind, name)),
    ...(text !== undefined && {
      description: text,
      tags: [id("ours")],
      glossary_terms: [id("ours")],
      owners: [{ user: id("ours") }],
      links: [{ url: "https://example.com/ours", label: text }],
      structured_properties: { [id("ours")]: [text] },
      ...(kind.matching?.hasColumns === true && {
        columns: { email: { description: text, tags: [id("ours")] } },
      }),
    }),
  }));
  const definitions = definitionKinds.map((kind): JsonObject => ({
    kind: kind.name,
    id: `urn:li:${kind.entityType}:${id(name)}`,
    ...(text !== undefined && { [kind.name === "GlossaryTerm" ? "definition" : "description"]: text }),
  }));
  return [...assets, ...definitions];
}

async function expectKept(trying: Trying, kind: Kind, name: string): Promise<void> {
  const stored = await trying.stored.aspects(trying.urnOf(kind, name));
  for (const [aspect, value] of Object.entries(valuesOf(trying, kind))) {
    // When an aspect was written last is no value of others.
    const { lastModified: _, created: ___, auditStamp: __, ...values } = value;
    expectThat(
      `${aspect} of ${kind.name}: ${JSON.stringify(values)} is not in ${JSON.stringify(stored[aspect])}`,
      contains(stored[aspect], values),
    );
  }
}

/** Whether a stored value has all of another one: the fields of a mapping, and the elements of a list. */
function contains(stored: Json | undefined, part: Json): boolean {
  if (isJsonList(part))
    return isJsonList(stored) && part.every((each) => stored.some((other) => contains(other, each)));
  if (!isJsonObject(part)) return stored === part;
  return (
    isJsonObject(stored) && Object.entries(part).every(([key, each]) => contains(stored[key], each ?? null))
  );
}
