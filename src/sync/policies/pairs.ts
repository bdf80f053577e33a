/** Reads the owners of entities, and pairs the current state of entities and owners with the state after the changes. */

import type { Change } from "../../model/change.ts";
import type { Urn } from "../../model/urn.ts";
import { withoutDeleted } from "../../plan/policies/effects.ts";
import type { PeoplePair, SubjectPair } from "../../plan/policies/judge-policies.ts";
import { afterChanges, peopleAfter } from "../../plan/policies/planned.ts";
import { ownerOf, type People, type Subject, valuesAt } from "../../plan/policies/subject.ts";
import type { Declaring } from "../../plan/rules/declared-by.ts";
import { blankFacets } from "../../plan/base/definitions.ts";
import type { Reader } from "../../datahub/client.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { type PeopleReader, peopleReader } from "./people.ts";
import { asSubject, type LiveSubject, plainAsset, type SubjectQuery } from "./subjects.ts";
import { isRestoring } from "../../plan/base/changes.ts";

/** The changes that affect an entity. */
interface Effects {
  readonly own: readonly Change[];
  readonly deleted: ReadonlySet<string>;
  readonly declaring: Declaring;
}

/** Returns an entity before and after the changes. An unreadable entity is the same in both states. */
export function pairOf(
  urn: Urn,
  found: LiveSubject | undefined,
  { kind, facets, elsewhere }: SubjectQuery,
  { own, deleted, declaring }: Effects,
): SubjectPair {
  const { isRemoved = false, ...read } = found ?? {
    asset: plainAsset(urn, kind),
    facets: blankFacets([...facets, ...elsewhere]),
  };
  const before = asSubject(read, declaring);
  const live = found && !isRemoved ? before : undefined;
  if (live?.isUnread || (own.length === 0 && deleted.size === 0)) return { live, planned: live };
  if (own.some(({ action }) => action === "delete")) return { live };
  if (!live && !own.some((change) => change.action === "create" || isRestoring(change))) return {};
  const after = withoutDeleted(own.length === 0 ? before.facets : afterChanges(before.facets, own), deleted);
  return { live, planned: after === before.facets ? live : { ...before, facets: after } };
}

/** Returns the owners of entities, each in its state before and after the changes. */
export async function peopleFor(
  read: PeopleReader,
  pairs: readonly SubjectPair[],
  changes: readonly Change[],
): Promise<PeoplePair> {
  const owners = new Set(pairs.flatMap(({ live, planned }) => [...ownersIn(live), ...ownersIn(planned)]));
  const live = await read(owners);
  return { live, planned: peopleAfter(live, changes, owners) };
}

/** Reads the owners of an entity. */
export async function readOwners(reader: Reader, subject: Subject, options: ReadOptions): Promise<People> {
  return await peopleReader(reader, options)(ownersIn(subject));
}

function ownersIn(subject: Subject | undefined): readonly Urn[] {
  if (!subject) return [];
  return [...subject.facets.keys()].flatMap((facet) =>
    (valuesAt(subject, facet) ?? []).flatMap((value) => ownerOf(facet, value) ?? []),
  );
}
/** No users or groups, for policies that do not need owners. */
export const noPeople: PeoplePair = { live: new Map(), planned: new Map() };
