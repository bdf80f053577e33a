import type { JsonObject } from "../../model/json.ts";
import type { KindName, State } from "../../model/state.ts";
import { keyOf } from "../../model/urn.ts";
import { type MetadataRecord, recordsOf } from "./metadata.ts";

type Aspects = Readonly<Record<string, JsonObject>>;

const aspectsOf: Readonly<Record<KindName, ((name: string) => Aspects) | undefined>> = {
  Domain: (name) => ({ domainProperties: { name } }),
  Tag: (name) => ({ tagProperties: { name } }),
  User: (name) => ({ corpUserInfo: { active: true, displayName: name } }),
  Group: (name) => ({ corpGroupInfo: { displayName: name, admins: [], members: [], groups: [] } }),
  Dataset: undefined,
  Container: undefined,
};

/**
 * The domains, tags, users and groups that a repository declares, under their ids. `apply` does not create them
 * yet, so the demo puts them into its catalog; the day it does, this file goes.
 */
export function definitionRecords(desired: State): readonly MetadataRecord[] {
  return [...desired.values()].flatMap(({ kind, urn }) =>
    recordsOf(urn, aspectsOf[kind]?.(keyOf(urn)) ?? {}),
  );
}
