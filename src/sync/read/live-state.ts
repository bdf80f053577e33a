/** Reads the current state of entities, and converts the responses to live state. */

import { joined, shapedLike } from "../../model/place.ts";
import { aspectsIn } from "../../facets/answered-aspects.ts";
import type { Facet } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { isSoftDeleted } from "../../facets/removed.ts";
import { kindOf } from "../../kinds/index.ts";
import { appendTo } from "../../model/append.ts";
import { asCatalogError } from "../../model/catalog-error.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Live, SeveralValues } from "../../model/live.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Entity, FacetValue, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { hasAspects, isSelected, isStored, rawAspectsOf } from "./entities-document.ts";
import { addStoredInColumns, readColumnEntities } from "./column-entities.ts";
import {
  type LiveQuery,
  liveQueryFor,
  declaresMore,
  isDefinitionEntity,
  questionsFor,
} from "./live-questions.ts";
import { readExtraAspects, type ExtraAspects, withExtraAspects } from "./extra-aspects.ts";
import { readAnswers, type ReportingOptions } from "./read-batches.ts";
import { answeredEntity, type Reading } from "./readings.ts";

/** Live state while it is being read. */
interface Findings {
  readonly fields?: ReadonlySet<string>;
  readonly state: Map<Urn, Entity>;
  readonly missing: Map<Urn, "absent" | "soft-deleted">;
  readonly unreadable: Map<Urn, string>;
  readonly unmanaged: UnmanagedValue[];
  readonly several: SeveralValues[];
  readonly dormant: Map<Urn, Entity>;
  readonly softDeleted: Map<Urn, Entity>;
}

interface LiveOptions extends ReportingOptions {
  /** The optional fields that the server supports. If absent, no optional field is requested. */
  readonly fields?: ReadonlySet<string>;
  /** Called with each batch. Returns the entities that can be dropped. */
  readonly drop?: (batch: Live) => ReadonlySet<Urn>;
}

/** Reads the current state of the entities in `wanted`. An entity that could not be read is `unreadable`, never missing. */
export async function readLive(
  reader: Reader,
  wanted: State,
  { fields, drop, ...options }: LiveOptions = {},
): Promise<Live> {
  const findings = noFindings(fields);
  const query = liveQueryFor(wanted);
  const questions = questionsFor(wanted, query, fields);
  await readAnswers(reader, questions, options, async (readings, extra) => {
    const fresh = noFindings(fields);
    const stored = await readExtraAspects(reader, wanted, readings.keys(), options);
    for (const [urn, reading] of readings) {
      const entity = wanted.get(urn);
      if (entity) note(entity, reading, { query, stored, findings: fresh });
    }
    await addStoredInColumns(reader, wanted, fresh, options);
    const columns = { ...options, fields, known: extra };
    appendTo(fresh.unmanaged, await readColumnEntities(reader, wanted, fresh, columns));
    keep(fresh, drop?.(fresh) ?? nothing, findings);
  });
  return findings;
}

const nothing: ReadonlySet<Urn> = new Set();

function noFindings(fields: ReadonlySet<string> | undefined): Findings {
  return {
    ...(fields && { fields }),
    state: new Map(),
    missing: new Map(),
    unreadable: new Map(),
    unmanaged: [],
    several: [],
    dormant: new Map(),
    softDeleted: new Map(),
  };
}

/** Adds new findings to `all`, without the dropped entities. */
function keep(fresh: Findings, dropped: ReadonlySet<Urn>, all: Findings): void {
  const isKept = ({ urn }: { readonly urn: Urn }): boolean => !dropped.has(urn);
  for (const [urn, entity] of fresh.state) if (!dropped.has(urn)) all.state.set(urn, entity);
  for (const [urn, why] of fresh.missing) all.missing.set(urn, why);
  for (const [urn, error] of fresh.unreadable) all.unreadable.set(urn, error);
  for (const [urn, entity] of fresh.dormant) all.dormant.set(urn, entity);
  for (const [urn, entity] of fresh.softDeleted) all.softDeleted.set(urn, entity);
  appendTo(all.unmanaged, fresh.unmanaged.filter(isKept));
  appendTo(all.several, fresh.several.filter(isKept));
}

interface Noting {
  readonly query: LiveQuery;
  readonly stored: ExtraAspects;
  readonly findings: Findings;
}

function note(wanted: Entity, reading: Reading, noting: Noting): void {
  const { urn } = wanted;
  const { findings } = noting;
  const exists = isDefinitionEntity(wanted) ? reading.alias : reading.entity?.["exists"];
  const { entity, fault } = answeredEntity(reading, { kind: kindOf(wanted.kind), exists });
  const isAbsent = exists === false && kindOf(wanted.kind).aspectFields !== undefined;
  if (isAbsent) findings.missing.set(urn, "absent");
  else if (fault !== undefined) findings.unreadable.set(urn, fault);
  else if (exists === false) findings.missing.set(urn, "absent");
  else if (!hasAspects(entity)) {
    findings.unreadable.set(urn, "the server's response does not contain its aspects");
  } else noteFacets(wanted, entity, noting);
}

function noteFacets(wanted: Entity, answered: JsonObject, noting: Noting): void {
  const { findings } = noting;
  try {
    if (!isDefinitionEntity(wanted) && isSoftDeleted(answered["status"])) {
      findings.missing.set(wanted.urn, "soft-deleted");
      recordDormant(wanted, answered, noting);
      return;
    }
    const { entity, dormant, ingested, several } = observe(wanted, answered, noting);
    findings.state.set(wanted.urn, entity);
    if (dormant.size > 0) findings.dormant.set(wanted.urn, { ...entity, facets: dormant });
    appendTo(findings.unmanaged, ingested);
    appendTo(findings.several, several);
  } catch (error) {
    findings.unreadable.set(wanted.urn, asCatalogError(error).message);
  }
}

/** Records a soft-deleted asset's values if they are well-formed. */
function recordDormant(wanted: Entity, answered: JsonObject, noting: Noting): void {
  const { findings } = noting;
  try {
    const { entity, dormant, several } = observe(wanted, answered, noting);
    const facets = new Map(entity.facets);
    for (const [name, dormantValues] of dormant)
      facets.set(
        name,
        joined(entity.facets.get(name), dormantValues, (_there, leaf) => leaf),
      );
    findings.softDeleted.set(wanted.urn, entity);
    appendTo(findings.several, several);
    findings.dormant.set(wanted.urn, { ...entity, facets });
  } catch (error) {
    asCatalogError(error);
  }
}

interface ObservedEntity {
  readonly entity: Entity;
  /** Stored values of columns that no longer exist, keyed by facet. */
  readonly dormant: ReadonlyMap<string, FacetValue>;
  readonly ingested: readonly UnmanagedValue[];
  readonly several: readonly SeveralValues[];
}

function observe(wanted: Entity, answered: JsonObject, { query, stored: extra }: Noting): ObservedEntity {
  const { urn, kind } = wanted;
  const { plain, more } = query;
  const raw = withExtraAspects(rawAspectsOf(answered), urn, extra);
  const found: UnmanagedValue[] = [];
  const stored: SeveralValues[] = [];
  const declared = (declaresMore(wanted) ? more : plain).facets;
  const facets = new Map<string, FacetValue>();
  const dormantValues = new Map<string, FacetValue>();
  for (const facet of facetsOf(kind)) {
    // A facet that was not requested is unknown. It does not count as empty.
    if (!isDefinitionEntity(wanted) && !isSelected(facet, kind, declared)) continue;
    if (isStoredInColumns(facet) && wanted.facets.get(facet.name)?.shape !== "map") continue;
    const aspects = aspectsIn(answered, isStored(answered) ? [] : facet.answered(kind), raw);
    const { value, ingested = [], several, dormant } = facet.observe(aspects, kind);
    facets.set(facet.name, shapedLike(value, wanted.facets.get(facet.name)));
    if (dormant) dormantValues.set(facet.name, dormant);
    for (const each of ingested) found.push({ urn, kind, facet: facet.name, ...each, reason: "ingested" });
    if (several) stored.push({ urn, facet: facet.name, values: several });
  }
  return { entity: { urn, kind, facets }, dormant: dormantValues, ingested: found, several: stored };
}

/** Whether values are stored in column entities, which are read only if the facet is declared. */
function isStoredInColumns(facet: Facet): boolean {
  return facet.shape === "map" && facet.storedInColumns !== undefined;
}
