import fc from "fast-check";
import { expect, test } from "vitest";
import { createWriter } from "../../src/datahub/client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import { plannedFacets } from "../../src/facets/index.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import {
  type Edit,
  isListEdit,
  nameOfRequest,
  type Proposal,
  type Request,
} from "../../src/model/operation.ts";
import type { Urn } from "../../src/model/urn.ts";
import { applyEdits, type Provenance } from "../../src/sync/write/apply-edits.ts";
import { propose } from "../../src/sync/write/propose.ts";
import { mutationOf } from "../../src/sync/write/requests.ts";
import {
  type MadeAspect,
  metadataFile,
  openTestCatalog,
  temporaryDirectory,
  type TestCatalog,
} from "../support/catalog.ts";
import { counted, runsOf } from "../support/runs.ts";
import { schemaWith } from "../support/schema.ts";
import { examplesOf as examplesOfField } from "../docs/field-rows.ts";
import { examplesOf } from "../support/sent-documents.ts";
import { urn } from "../support/states.ts";
import { latestOf } from "./stored.ts";

/** The fields of aspects and of inputs that hold any text. */
const textFields = new Set(
  `name description definition displayName title note label string stringValue
  firstName lastName fullName departmentName sourceRef aboutMe slack phone`.split(/\s+/),
);

type TextFor = () => string;

/** A value with other texts. An edit says with `at` which field it is about. */
function withTexts(value: Json, textFor: TextFor, field = ""): Json {
  if (typeof value === "string") return textFields.has(field) ? textFor() : value;
  if (isJsonList(value)) return value.map((each) => withTexts(each, textFor, field));
  if (!isJsonObject(value)) return value;
  // The definition is one of texts.
  if (typeof value["double"] === "number") return { string: textFor() };
  const last = isJsonList(value["at"]) ? value["at"].at(-1) : undefined;
  const entries = Object.entries(value).map(([key, part = null]) => {
    const named = key === "value" && typeof last === "string" ? last : key;
    return [key, withTexts(part, textFor, named)] as const;
  });
  return Object.fromEntries(entries);
}

function retold<R extends Request>(request: R, textFor: TextFor): R {
  const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
  if (request.type === "mutation") {
    const args = request.args.map((arg) => ({ ...arg, value: withTexts(arg.value, textFor) }));
    return { ...request, args };
  }
  const { set, edits = [] } = request;
  return {
    ...request,
    set: withTexts(plain(set), textFor),
    edits: edits.map((edit) => withTexts(plain(addingOnly(edit)), textFor) as unknown as Edit),
  };
}

/** An edit that takes no texts away. */
function addingOnly(edit: Edit): Edit {
  if (!isListEdit(edit) || edit.remove === "all") return edit;
  const isText = (element: Json): boolean =>
    JSON.stringify(withTexts(element, () => "")) !== JSON.stringify(element);
  return { ...edit, remove: edit.remove.filter((element) => !isText(element)) };
}

function hasText(request: Request): boolean {
  let texts = 0;
  retold(request, () => `${(texts += 1)}`);
  return texts > 0;
}

const column = "email";
const names = { platform: "file", name: "a", id: "a", orchestrator: "airflow", flow: "a", job: "a" };

/** An entity of a kind. */
function urnFor(kind: Kind): Urn {
  if (kind.lifecycle === "owned") return urn(`urn:li:${kind.entityType}:a`);
  // A kind whose URN cannot be made of names is declared by its URN.
  const isByUrn = JSON.stringify(kind.constraints["required"]) === '["urn"]';
  const field = kind.fields["urn"];
  const [example = null] = isJsonObject(field) ? examplesOfField(field) : [];
  const identity = kind.urnOf(isByUrn ? { urn: example } : names);
  if ("urn" in identity) return identity.urn;
  throw new Error(`no URN of ${kind.name}`);
}

/** A request that writes a text, and the proposals of all texts of the same aspect. */
interface Case {
  readonly kind: Kind;
  readonly request: Request;
  readonly beside: readonly Proposal[];
}

const cases = kinds.flatMap((kind): readonly Case[] => {
  const requests = (["graphql", "conditional"] as const).flatMap((writes) =>
    plannedFacets
      .filter((facet) => facet.kinds.includes(kind.name))
      .flatMap((facet) => {
        const path =
          facet.shape === "map"
            ? {
                path: facet.keys.map(({ entityType, example }) =>
                  entityType === undefined ? column : `urn:li:${entityType}:${example}`,
                ),
              }
            : {};
        return examplesOf(facet, kind.name, writes, { urn: urnFor(kind), ...path });
      })
      .filter(hasText),
  );
  const proposals = requests.filter((request) => request.type === "proposal");
  const isRemoval = (request: Request): boolean => nameOfRequest(request).startsWith("remove");
  return requests
    .filter((request) => !isRemoval(request))
    .map((request) => ({
      kind,
      request,
      beside:
        request.type === "proposal"
          ? proposals.filter((each) => each.aspect === request.aspect && each.urn === request.urn)
          : [],
    }));
});

const others: Readonly<Record<string, (textFor: TextFor) => JsonObject>> = Object.fromEntries(
  ["domainProperties", "glossaryNodeInfo", "glossaryTermInfo", "dataProductProperties", "corpUserInfo"].map(
    (aspect) => [aspect, (textFor: TextFor) => ({ customProperties: { [textFor()]: textFor() } })],
  ),
);

const property = "urn:li:structuredProperty:retention_days";

/** What a catalog has of a kind before something is written, and the aspects that people wrote. */
function storedBefore({ kind, request, beside }: Case, textFor: TextFor): readonly MadeAspect[] {
  const of = urnFor(kind);
  const edited = beside.reduce<JsonObject | undefined>(
    (value, each) => applyEdits(retold(each, textFor), value, { ...provenanceFor(each, false), time: 0 }),
    undefined,
  );
  const initial = Object.entries(
    kind.lifecycle === "owned" ? kind.initial("a") : { status: { removed: false } },
  );
  const aspects = new Map<string, object>(initial);
  if (kind.matching?.hasColumns === true) aspects.set("schemaMetadata", schemaWith(column));
  if (request.type === "proposal" && edited)
    aspects.set(request.aspect, {
      ...aspects.get(request.aspect),
      ...edited,
      ...others[request.aspect]?.(textFor),
    });
  return [
    [property, "propertyDefinition", definition],
    ...[...aspects].map(([aspect, value]): MadeAspect => [of, aspect, value]),
  ];
}

const definition = {
  qualifiedName: "retention_days",
  valueType: "urn:li:dataType:datahub.string",
  cardinality: "MULTIPLE",
  entityTypes: ["urn:li:entityType:datahub.dataset"],
};

/** Who writes a proposal, to a server that takes patches of it or to one that does not. */
function provenanceFor({ edits = [] }: Proposal, isPatch: boolean): Provenance {
  const shown = (isPatch ? edits : []).flatMap(
    (edit) => (isListEdit(edit) ? edit.attribution : edit.patch?.since) ?? [],
  );
  return {
    actor: "urn:li:corpuser:a",
    source: "urn:li:dataHubAction:law",
    detail: {},
    keeps: new Set(shown),
  };
}

/** What a case draws. */
interface Drawn {
  /** The place of a case. */
  readonly of: number;
  /** Texts, one after the other and from the beginning again. */
  readonly texts: readonly string[];
  readonly isPatch: boolean;
}

async function expectWritten(
  { catalog, directory }: In,
  { of: place, texts, isPatch }: Drawn,
): Promise<void> {
  const of = cases[place];
  if (!of) throw new Error("no such case");
  let next = 0;
  const textFor: TextFor = () => `${texts[next++ % texts.length]}`;
  await catalog.load(metadataFile(directory, storedBefore(of, textFor)));
  const writer = createWriter(connectionTo(catalog.url, { retryDelay: 1 }));
  const stored = (): ReadonlyMap<string, JsonObject> =>
    latestOf(catalog.aspects()).get(of.request.type === "proposal" ? of.request.urn : urnFor(of.kind)) ??
    new Map();
  const before = stored();
  const written: string[] = [];
  const request = retold(of.request, () => {
    written.push(textFor());
    return `${written.at(-1)}`;
  });
  if (request.type === "proposal") {
    const provenance = provenanceFor(request, isPatch);
    expect(await propose(writer.aspects, request, { provenance })).toBeUndefined();
    const expected = applyEdits(request, before.get(request.aspect));
    expect(stored().get(request.aspect)).toMatchObject(expected ?? {});
    return;
  }
  const { document, variables } = mutationOf([request]);
  expect((await writer.mutate(document, variables)).errors).toEqual([]);
  const leaves = new Set([...stored().values()].flatMap(textsIn));
  for (const each of written) expect(leaves).toContain(each);
}

interface In {
  readonly catalog: TestCatalog;
  readonly directory: string;
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

const drawn = fc.record({
  of: fc.nat(cases.length - 1),
  texts: fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 20,
  }),
  isPatch: fc.boolean(),
});

test(
  "a text of any plane of Unicode is stored as it was written, and all else of its aspect stays as it was",
  counted,
  async () => {
    const directory = temporaryDirectory();
    const holds = async (each: Drawn): Promise<void> => {
      const { catalog, close } = await openTestCatalog();
      await expectWritten({ catalog, directory }, each).finally(close);
    };
    await fc.assert(fc.asyncProperty(drawn, holds), { numRuns: runsOf(2_000) });
  },
);
