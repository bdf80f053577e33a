import { facetsOf } from "../../facets/index.ts";
import { isSoftDeleted } from "../../facets/removed.ts";
import { isDefinitionKind, kindOf } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { appendTo } from "../../model/append.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Live, SeveralValues } from "../../model/live.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import { type Entity, type FacetValue, scalarOf, type State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { answeredEntity } from "./answered-entity.ts";
import { type SupportsField, supportsNone } from "./available-fields.ts";
import type { Reader } from "../client/client.ts";
import { assetsDocument, definitionsDocument, numbered, withRawAspects } from "./entities-document.ts";
import { type Question, questionOf, readBatches, type Reading, type ReadOptions } from "./read-batches.ts";

interface Findings {
  readonly state: Map<Urn, Entity>;
  readonly missing: Map<Urn, "absent" | "soft-deleted">;
  readonly unreadable: Map<Urn, string>;
  readonly unmanaged: UnmanagedValue[];
  readonly several: SeveralValues[];
}

/** How live state is read. */
interface LiveOptions extends ReadOptions {
  /** What `probe` found of fields that only newer servers have; without it none of them is asked for. */
  readonly supports?: SupportsField;
}

/**
 * Reads the entities of `wanted` as they are now. An entity whose reading failed is `unreadable`, never absent.
 * Throws `CatalogError` when the server cannot be asked.
 */
export async function readLive(
  reader: Reader,
  wanted: State,
  { supports = supportsNone, ...options }: LiveOptions = {},
): Promise<Live> {
  const findings: Findings = {
    state: new Map(),
    missing: new Map(),
    unreadable: new Map(),
    unmanaged: [],
    several: [],
  };
  await readBatches(reader, questionsFor(wanted, supports), options, (urn, reading) => {
    const entity = wanted.get(urn);
    if (entity) note(entity, reading, findings);
  });
  return findings;
}

/** Some entities of a kind, to be read with all that manifests of them can declare. */
export function withAllFacets({ name: kind }: Kind, urns: readonly Urn[]): State {
  const facets = new Map(facetsOf(kind).map(({ name }) => [name, scalarOf(null)]));
  return new Map(urns.map((urn) => [urn, { urn, kind, facets }]));
}

function questionsFor(wanted: State, supports: SupportsField): readonly Question[] {
  const entities = [...wanted.values()];
  const definitions = entities.filter(isOwned);
  const whenDeclared = entities.filter((entity) => !isOwned(entity) && declaresMore(entity));
  const plain = entities.filter((entity) => !isOwned(entity) && !declaresMore(entity));
  return [
    {
      urns: urnsOf(definitions),
      documentFor: (urns) => definitionsDocument(urns.flatMap((urn) => wanted.get(urn) ?? [])),
      variablesFor: (urns) => ({ urns, ...numbered(urns) }),
    },
    ...[plain, whenDeclared].map((assets) =>
      questionOf(urnsOf(assets), assetsDocument(assets, assets === whenDeclared, supports)),
    ),
  ];
}

function urnsOf(entities: readonly Entity[]): readonly Urn[] {
  return entities.map(({ urn }) => urn);
}

function note(wanted: Entity, reading: Reading, findings: Findings): void {
  const { urn } = wanted;
  const exists = isOwned(wanted) ? reading.alias : reading.entity?.["exists"];
  const { entity, fault } = answeredEntity(reading, { kind: kindOf(wanted.kind), exists });
  if (fault !== undefined) findings.unreadable.set(urn, fault);
  else if (exists === false) findings.missing.set(urn, "absent");
  else if (!Array.isArray(entity["aspects"])) {
    findings.unreadable.set(urn, "the answer of the server does not include its aspects");
  } else noteFacets(wanted, entity, findings);
}

function noteFacets(wanted: Entity, answered: JsonObject, findings: Findings): void {
  try {
    if (!isOwned(wanted) && isSoftDeleted(answered["status"])) {
      findings.missing.set(wanted.urn, "soft-deleted");
      return;
    }
    const { entity, ingested, several } = observe(wanted, withRawAspects(answered));
    findings.state.set(wanted.urn, entity);
    appendTo(findings.unmanaged, ingested);
    appendTo(findings.several, several);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    findings.unreadable.set(wanted.urn, error.message);
  }
}

interface ObservedEntity {
  readonly entity: Entity;
  readonly ingested: readonly UnmanagedValue[];
  readonly several: readonly SeveralValues[];
}

function observe(wanted: Entity, answered: JsonObject): ObservedEntity {
  const { urn, kind } = wanted;
  const found: UnmanagedValue[] = [];
  const stored: SeveralValues[] = [];
  const more = declaresMore(wanted);
  const facets = new Map<string, FacetValue>();
  for (const facet of facetsOf(kind)) {
    if (facet.readWhenDeclared && !more) continue;
    const { value, ingested = [], several } = facet.observe(answered, kind);
    facets.set(facet.name, value);
    for (const each of ingested) found.push({ urn, kind, facet: facet.name, ...each, reason: "ingested" });
    if (several) stored.push({ urn, facet: facet.name, values: several });
  }
  return { entity: { urn, kind, facets }, ingested: found, several: stored };
}

function isOwned({ kind }: Entity): boolean {
  return isDefinitionKind(kind);
}

/** Whether an entity declares a facet that is read only where it is declared. */
function declaresMore(entity: Entity): boolean {
  return facetsOf(entity.kind).some((facet) => facet.readWhenDeclared && entity.facets.has(facet.name));
}
