/** Reads users and groups, for policies about owners. */

import { aspectsOfPeople, type Person, personIn } from "../../facets/people.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { asCatalogError } from "../../model/catalog-error.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Urn } from "../../model/urn.ts";
import type { People } from "../../plan/policies/subject.ts";
import type { Reader } from "../../datahub/client.ts";
import { rawAspects, rawAspectsOf } from "../read/entities-document.ts";
import { questionOf } from "../read/question.ts";
import { readBatches, type ReadOptions } from "../read/read-batches.ts";
import { answeredEntity, type Reading } from "../read/readings.ts";

/** Reads users and groups, each only once. */
export type PeopleReader = (urns: Iterable<Urn>) => Promise<People>;

/** Creates a reader with a cache. Its results include users and groups from earlier calls. */
export function peopleReader(reader: Reader, options: ReadOptions): PeopleReader {
  const known = new Map<Urn, Person>();
  const requested = new Set<Urn>();
  return async (urns) => {
    const fresh = [...urns].filter((urn) => !requested.has(urn));
    for (const urn of fresh) requested.add(urn);
    for (const [urn, person] of await readPeople(reader, fresh, options)) known.set(urn, person);
    return known;
  };
}

/** Reads users and groups, and leaves out any that are unreadable. Throws `CatalogError` if a request fails. */
export async function readPeople(
  reader: Reader,
  urns: readonly Urn[],
  options: ReadOptions,
): Promise<People> {
  const people = new Map<Urn, Person>();
  for (const [kind, own] of groupBy(urns, kindOfUrn)) {
    if (!kind) continue;
    await readBatches(reader, [questionOf(own, peopleDocument(kind))], options, (urn, reading) => {
      const person = personFrom(kind, reading);
      if (person) people.set(urn, person);
      else people.delete(urn);
    });
  }
  return people;
}

/** Builds the query for users or groups. */
export function peopleDocument({ typename }: Kind): string {
  const selected = `exists ${rawAspects(aspectsOfPeople)}`;
  return `query ReadPeople($urns: [String!]!) { entities(urns: $urns) { urn __typename ... on ${typename} { ${selected} } } }`;
}

function personFrom(kind: Kind, reading: Reading): Person | undefined {
  const exists = reading.entity?.["exists"];
  const { entity, fault } = answeredEntity(reading, { kind, exists });
  if (fault !== undefined) return undefined;
  if (exists !== true) return personIn(false, {});
  if (!Array.isArray(entity["aspects"])) return undefined;
  try {
    return personIn(true, rawAspectsOf(entity));
  } catch (error) {
    asCatalogError(error);
    return undefined;
  }
}
