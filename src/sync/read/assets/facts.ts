/** The queries for facts about assets (the keys that rules match, and columns), and the parsing of their answers. */

import { simpleColumn } from "../../../facets/columns.ts";
import { answeredList, malformed, aspectIn } from "../../../facets/answer.ts";
import { aspectsIn } from "../../../facets/answered-aspects.ts";
import type { Kind } from "../../../kinds/kind.ts";
import type { StoredKey } from "../../../kinds/match-key.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import type { Asset, AssetColumn } from "../../../model/rule.ts";
import { rawAspects, shellMarkerSelection, withRawAspects } from "../entities-document.ts";
import type { StoredQuestion } from "../question.ts";
import { isUrn, keyOf, plainPart, type Urn } from "../../../model/urn.ts";

/** An asset with its direct container. */
export interface Facts {
  readonly asset: Asset;
  readonly container?: Urn;
}

/**
 * The query for the facts by which rules match assets of a kind. Fields come with the entity: raw aspects would cost older
 * servers one read each, and `parentContainers` one for each level (ParentContainersResolver.java). Only the containers of data
 * flows and data jobs are raw, because GraphQL shows them from 1.0 on only.
 */
export function factsDocument(kind: Kind, columns = ""): string {
  const { matching, matchedBy = [] } = kind;
  const selected = matchedBy.flatMap(({ selection }) => selection ?? []);
  const stored = storedNames(kind);
  if (stored.length > 0) selected.push(rawAspects(stored));
  return documentOf("ReadAssetFacts", kind, [...selected, matching?.selection ?? "", columns].join(" "));
}

/** The aspects that are read raw. */
function storedNames({ matchedBy = [] }: Kind): readonly string[] {
  return matchedBy.flatMap(({ stored }) => stored ?? []);
}

/** Computes the answer to `factsDocument` from stored aspects. */
export const storedFacts: StoredQuestion = fromStored(({ matching, matchedBy = [] }) => [
  ...matchedBy.flatMap((each) => each.fromStored ?? []),
  ...(matching?.fromStored ?? []),
]);

/** Computes the answer to `columnsDocument` from stored aspects, including edited columns. */
export const storedColumns: StoredQuestion = fromStored(({ matching }) => matching?.columnsFromStored ?? []);

/** Computes both answers. */
export const storedFactsAndColumns: StoredQuestion = {
  aspectsOf: (kind) => [...storedFacts.aspectsOf(kind), ...storedColumns.aspectsOf(kind)],
  answerOf: (aspects, kind) => ({
    columns: null,
    ...storedFacts.answerOf?.(aspects, kind),
    ...storedColumns.answerOf?.(aspects, kind),
  }),
};

function fromStored(keysOf: (kind: Kind) => readonly StoredKey[]): StoredQuestion {
  return {
    aspectsOf: (kind) => ["status", ...(kind ? keysOf(kind) : []).map(({ aspect }) => aspect)],
    answerOf: (aspects, kind) => {
      const answers = (kind ? keysOf(kind) : []).map((key) => {
        const stored = aspects[key.aspect];
        return isJsonObject(stored) ? key.answer(stored) : {};
      });
      return Object.assign({}, ...answers) as JsonObject;
    },
  };
}

/**
 * The query for the columns of assets of a kind, which costs the server one read for each asset. With `edited`, includes columns
 * that people edited, which may no longer be in the schema.
 */
export function columnsDocument(kind: Kind, edited = false): string {
  return documentOf("ReadAssetColumns", kind, columnsOf(kind, edited));
}

/** The selection for the columns of assets of a kind; with `edited`, includes columns that people edited. */
export function columnsOf({ matching }: Kind, edited = false): string {
  const { columns = "", editedColumns = "" } = matching ?? {};
  return edited ? `${columns} ${editedColumns}` : columns;
}

/** The query for the direct parents of containers. */
export function parentsDocument(kind: Kind): string {
  return documentOf("ReadParentContainers", kind, "container { urn }");
}

function documentOf(name: string, kind: Kind, selection: string): string {
  return `query ${name}($urns: [String!]!) { entities(urns: $urns) { urn __typename ... on ${kind.typename} { exists status { removed } ${shellMarkerSelection(kind)}${selection} } } }`;
}

/** Parses the answer to `factsDocument`. Throws `CatalogError` if it is malformed, as all functions below do. */
export function factsOf(urn: Urn, kind: Kind, answered: JsonObject): Facts {
  const { name, ...parts } = kind.matching?.partsOf(urn, answered) ?? {};
  const instance = instanceIn(answered);
  const container = containerIn(kind, answered);
  return {
    asset: {
      urn,
      kind: kind.name,
      ...parts,
      ...(instance !== undefined && { instance }),
      ...(name !== undefined && { name: withoutInstance(name, instance) }),
      containers: [],
      subtypes: subtypesIn(answered),
    },
    ...(container !== undefined && { container }),
  };
}

/** The direct container of an answered asset. */
export function containerIn(kind: Kind, answered: JsonObject): Urn | undefined {
  const { container, aspects } = answered;
  if (container !== undefined || !storedNames(kind).includes("container"))
    return urnAt(container, "its container");
  if ((aspects ?? null) === null) throw malformed("its container", "is missing");
  const { container: urn } = aspectIn(aspectsIn(withRawAspects(answered), []), "container");
  return urn === undefined ? undefined : urnAt({ urn }, "its container");
}

/** The parent of an answered container. */
export function parentOf(answered: JsonObject): Urn | undefined {
  return urnAt(answered["container"], "its container");
}

/** The columns that people edited and that are no longer in the schema, in an answer to `columnsDocument`. */
export function dormantColumns({ columns, edited }: JsonObject): readonly AssetColumn[] {
  const known = new Set(columnsIn(columns).map(({ path }) => path));
  return columnsIn(edited).filter(({ path }) => !known.has(path));
}

/** The columns of an answered schema. */
export function columnsIn(schema: Json | undefined): readonly AssetColumn[] {
  const fields = isJsonObject(schema) ? schema["fields"] : undefined;
  return answeredList(fields as readonly JsonObject[] | null | undefined, "the columns").map(
    ({ fieldPath: path, nativeDataType: nativeType }) => {
      if (typeof path !== "string") throw malformed("a column", "has no path");
      const name = simpleColumn(path);
      return { path, name, ...(typeof nativeType === "string" && { nativeType }) };
    },
  );
}

function instanceIn({ dataPlatformInstance }: JsonObject): string | undefined {
  const urn = urnAt(dataPlatformInstance, "its platform instance");
  // (urn:li:dataPlatform:mysql,eu): no id of a platform has a comma.
  const key = urn && keyOf(urn).replace(/^\(|\)$/g, "");
  return key === undefined ? undefined : plainPart(key.slice(key.indexOf(",") + 1));
}

function withoutInstance(name: string, instance: string | undefined): string {
  return instance !== undefined && name.startsWith(`${instance}.`) ? name.slice(instance.length + 1) : name;
}

function subtypesIn({ subTypes }: JsonObject): readonly string[] {
  const names = isJsonObject(subTypes) ? (subTypes["typeNames"] ?? []) : [];
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  throw malformed("its subtypes", "are not a list of names");
}

function urnAt(entity: Json | undefined, what: string): Urn | undefined {
  if (entity === undefined || entity === null) return undefined;
  const urn = isJsonObject(entity) ? entity["urn"] : undefined;
  if (isUrn(urn)) return urn;
  throw malformed(what, "has no URN");
}
