/** Finds declared and live entities by an id or name that a user entered, and suggests a similar name if no entity matches. */

import { createReader, type Reader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { findByName, findAssetsLike } from "../../sync/read/find-by-name.ts";
import { readNames } from "../../sync/read/names.ts";
import type { Abortable } from "../../sync/read/read-batches.ts";
import { canHaveDisplayName } from "../../facets/display-names.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import { compareText } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { namesIn } from "../../plan/notes/names.ts";
import { namedAmong } from "../../plan/listing/names.ts";
import { nameOf } from "../../plan/align/select.ts";
import type { Scope } from "../scope/scope.ts";
import type { Snapshot } from "../../sync/snapshot/snapshot.ts";
import { snapshotReader } from "../../sync/snapshot/snapshot-reader.ts";
import { nearest } from "../../model/text/suggestion.ts";
import { revealedFor } from "../plan-snapshot.ts";
import type { Connection } from "../../datahub/http/connection.ts";
import { refuseOtherServer } from "../scope/pinned-server.ts";

/** The sorted entities that match a name. If there are none, `suggestion` is a similar name. */
export interface NamedEntities {
  readonly urns: readonly Urn[];
  readonly suggestion?: string | undefined;
}

/**
 * Finds declared and live entities by id or name. If no exact match exists, ignores case. Throws `ScopeError` if the settings pin
 * a different server, and `CatalogError` if a request fails.
 */
export async function entitiesNamed(
  text: string,
  scope: Scope,
  connection: Connection,
  options: Abortable,
): Promise<NamedEntities> {
  refuseOtherServer(connection.endpoint.address, scope.repository.settings.server);
  await checkServer(connection, options.signal);
  const reader = createReader(connection);
  const live = await findByName(reader, text, options);
  const called = await entitiesCalled(text, scope, { reader, live }, options);
  if (called.urns.length > 0 || called.suggestion !== undefined) return called;
  return await entitiesCalled(
    text,
    scope,
    { reader, live: await findAssetsLike(reader, text, options) },
    options,
  );
}

/** Finds entities by id or name among those that are declared or in a snapshot. */
export async function entitiesNamedIn(
  snapshot: Snapshot,
  text: string,
  scope: Scope,
  options: Abortable,
): Promise<NamedEntities> {
  const readable = revealedFor(scope, snapshot);
  const found = (readable.found ?? []).flatMap(({ urns }) => urns);
  const live = [...Object.keys(readable.entities), ...found].filter(isUrn);
  return await entitiesCalled(text, scope, { reader: snapshotReader(readable), live }, options);
}

async function entitiesCalled(
  text: string,
  { desired }: Scope,
  { reader, live }: { readonly reader: Reader; readonly live: readonly Urn[] },
  options: Abortable,
): Promise<NamedEntities> {
  const all = [...new Set([...desired.state.keys(), ...live])].filter(kindOfUrn);
  const liveNames = await readNames(reader, live.filter(canHaveDisplayName), options);
  const declaredNames = namesIn(desired.state, new Map());
  const named = all.toSorted(compareText).map((urn) => {
    const names = [nameOf(urn), declaredNames.get(urn), liveNames.get(urn)?.trim()];
    return { urn, names: names.filter((name) => name !== undefined) };
  });
  const { urn: only, several = only === undefined ? [] : [only] } = namedAmong(text, named);
  if (several.length > 0) return { urns: several };
  const names = named.flatMap((each) => each.names);
  return { urns: [], suggestion: nearest(text, names) };
}
