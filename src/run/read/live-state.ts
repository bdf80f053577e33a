import { joined, shapedLike } from "../../model/place.ts";
import type { Facet } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { isSoftDeleted } from "../../facets/removed.ts";
import { kindOf } from "../../kinds/index.ts";
import { appendTo } from "../../model/append.ts";
import { asCatalogError } from "../../model/catalog-error.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Live, SeveralValues } from "../../model/live.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import type { Entity, FacetValue, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { hasAspects, isSelected, isStored, withRawAspects } from "./entities-document.ts";
import { addStoredInColumns, readColumnEntities } from "./column-entities.ts";
import { type Asked, askedOf, declaresMore, isOwned, questionsFor } from "./live-questions.ts";
import { readExtraAspects, type ExtraAspects, withExtraAspects } from "./extra-aspects.ts";
import { readAnswers, type ReadOptions } from "./read-batches.ts";
import { answeredEntity, type Reading } from "./readings.ts";

/** What was found of some of the entities. */
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

/** How live state is read. */
interface LiveOptions extends ReadOptions {
  /** What `probe` found of fields that only newer servers have; without it none of them is asked for. */
  readonly fields?: ReadonlySet<string>;
  /** Called with each batch; returns what of it is not needed any more. */
  readonly drop?: (batch: Live) => ReadonlySet<Urn>;
}

/** Reads the entities of `wanted` as they are now. An entity whose reading failed is `unreadable`, never absent. */
export async function readLive(
  reader: Reader,
  wanted: State,
  { fields, drop, ...options }: LiveOptions = {},
): Promise<Live> {
  const findings = noFindings(fields);
  const asked = askedOf(wanted);
  const questions = questionsFor(wanted, asked, fields);
  await readAnswers(reader, questions, options, async (readings, beside) => {
    const fresh = noFindings(fields);
    const stored = await readExtraAspects(reader, wanted, readings.keys(), options);
    for (const [urn, reading] of readings) {
      const entity = wanted.get(urn);
      if (entity) note(entity, reading, { asked, stored, findings: fresh });
    }
    await addStoredInColumns(reader, wanted, fresh, options);
    const columns = { ...options, fields, known: beside };
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

/** Adds what was found to the rest, without what is dropped. */
function keep(fresh: Findings, dropped: ReadonlySet<Urn>, all: Findings): void {
  const stays = ({ urn }: { readonly urn: Urn }): boolean => !dropped.has(urn);
  for (const [urn, entity] of fresh.state) if (!dropped.has(urn)) all.state.set(urn, entity);
  for (const [urn, why] of fresh.missing) all.missing.set(urn, why);
  for (const [urn, error] of fresh.unreadable) all.unreadable.set(urn, error);
  for (const [urn, entity] of fresh.dormant) all.dormant.set(urn, entity);
  for (const [urn, entity] of fresh.softDeleted) all.softDeleted.set(urn, entity);
  appendTo(all.unmanaged, fresh.unmanaged.filter(stays));
  appendTo(all.several, fresh.several.filter(stays));
}

/** What was asked, and what was found. */
interface Noting {
  readonly asked: Asked;
  readonly stored: ExtraAspects;
  readonly findings: Findings;
}

function note(wanted: Entity, reading: Reading, noting: Noting): void {
  const { urn } = wanted;
  const { findings } = noting;
  const exists = isOwned(wanted) ? reading.alias : reading.entity?.["exists"];
  const { entity, fault } = answeredEntity(reading, { kind: kindOf(wanted.kind), exists });
  const isAbsent = exists === false && kindOf(wanted.kind).aspectFields !== undefined;
  if (isAbsent) findings.missing.set(urn, "absent");
  else if (fault !== undefined) findings.unreadable.set(urn, fault);
  else if (exists === false) findings.missing.set(urn, "absent");
  else if (!hasAspects(entity)) {
    findings.unreadable.set(urn, "the answer of the server does not include its aspects");
  } else noteFacets(wanted, entity, noting);
}

function noteFacets(wanted: Entity, answered: JsonObject, noting: Noting): void {
  const { findings } = noting;
  try {
    if (!isOwned(wanted) && isSoftDeleted(answered["status"])) {
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

/** Notes the values of a soft-deleted asset, where they are well-formed. */
function recordDormant(wanted: Entity, answered: JsonObject, noting: Noting): void {
  const { findings } = noting;
  try {
    const { entity, dormant, several } = observe(wanted, answered, noting);
    const facets = new Map(entity.facets);
    for (const [name, gone] of dormant)
      facets.set(
        name,
        joined(entity.facets.get(name), gone, (_there, leaf) => leaf),
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
  /** By facet, what is stored of columns that are no longer there. */
  readonly dormant: ReadonlyMap<string, FacetValue>;
  readonly ingested: readonly UnmanagedValue[];
  readonly several: readonly SeveralValues[];
}

function observe(wanted: Entity, answered: JsonObject, { asked, stored: beside }: Noting): ObservedEntity {
  const { urn, kind } = wanted;
  const { plain, more } = asked;
  const known = withExtraAspects(withRawAspects(answered), urn, beside);
  const found: UnmanagedValue[] = [];
  const stored: SeveralValues[] = [];
  const declared = (declaresMore(wanted) ? more : plain).facets;
  const facets = new Map<string, FacetValue>();
  const gone = new Map<string, FacetValue>();
  for (const facet of facetsOf(kind)) {
    // What was not asked for is not known, and not empty.
    if (!isOwned(wanted) && !isSelected(facet, kind, declared)) continue;
    if (isStoredInColumns(facet) && wanted.facets.get(facet.name)?.shape !== "map") continue;
    const seen = isStored(answered) ? withSelected(facet, known, kind) : known;
    const { value, ingested = [], several, dormant } = facet.observe(seen, kind);
    facets.set(facet.name, shapedLike(value, wanted.facets.get(facet.name)));
    if (dormant) gone.set(facet.name, dormant);
    for (const each of ingested) found.push({ urn, kind, facet: facet.name, ...each, reason: "ingested" });
    if (several) stored.push({ urn, facet: facet.name, values: several });
  }
  return { entity: { urn, kind, facets }, dormant: gone, ingested: found, several: stored };
}

/** An entity that is known from what is stored, with what a facet selects. */
function withSelected({ fromStored }: Facet, known: JsonObject, kind: string): JsonObject {
  const { aspects } = known;
  return fromStored && isJsonObject(aspects) ? { ...known, ...fromStored.answer(aspects, kind) } : known;
}

/** Whether values are stored in entities of columns, which are read where they are declared. */
function isStoredInColumns(facet: Facet): boolean {
  return facet.shape === "map" && facet.storedInColumns !== undefined;
}
