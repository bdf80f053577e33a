/**
 * Explains one entity on a server or in a snapshot: its declarations and live values, the writers of these values, and the rules
 * and policies that match the entity.
 */

import { createReader, type Reader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { readLastWriters } from "../../sync/read/last-writers.ts";
import { releaseProblemsOf } from "../../sync/policies/releases.ts";
import { readNames } from "../../sync/read/names.ts";
import type { Abortable, ReadOptions } from "../../sync/read/read-batches.ts";
import { explainedFacets, liveValues } from "../../plan/explain/explained-facets.ts";
import { explainedRules, keysOf } from "../../plan/explain/explained-rules.ts";
import { canHaveDisplayName } from "../../facets/display-names.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { Names } from "../../model/plan.ts";
import type { Asset, AssetColumn } from "../../model/rule.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { namesFor } from "../../plan/notes/names.ts";
import { ManifestError } from "../scope/errors.ts";
import type { Scope } from "../scope/scope.ts";
import { type Snapshot } from "../../sync/snapshot/snapshot.ts";
import { snapshotReader } from "../../sync/snapshot/snapshot-reader.ts";
import { textsDeep } from "../../sync/snapshot/mentioned.ts";
import { type EntitySides, readSides } from "./explained-sides.ts";
import { revealedFor } from "../plan-snapshot.ts";
import { explainedPolicies } from "./explained-policies.ts";
import { type PastWrites, pastRunsOf } from "../plan-scope.ts";
import { tool } from "../version.ts";
import { missingEntry } from "../../sync/read/missing-entry.ts";
import type { Connection } from "../../datahub/http/connection.ts";
import { refuseOtherServer } from "../scope/pinned-server.ts";

export interface ExplainOptions extends Abortable {
  /** The time of the explanation, in ISO 8601. */
  readonly createdAt: string;
  /** The server's name in the explanation. Defaults to its URL. */
  readonly target?: string | undefined;
  /** Reads the writes of earlier applies, as a plan does. */
  readonly pastRuns?: (() => Promise<PastWrites>) | undefined;
  /** A column to which the explanation is restricted, given by its path or plain name. */
  readonly column?: string | undefined;
}

/**
 * An explanation, or the reason why there is none: the entity is not in the catalog, or the requested name matches no column or
 * several columns.
 */
export type Explained =
  | { readonly explanation: Explanation }
  | { readonly fault: "absent" | "soft-deleted" }
  | { readonly fault: "no-column" | "several-columns"; readonly candidates: readonly string[] };

/**
 * Explains an entity's facets, the documents and rules that declare them, and the rules that do not match. Writes nothing. Throws
 * `ScopeError` before any request if the settings pin a different server, `CatalogError` if the server cannot be reached or the
 * entity cannot be read, or the signal's reason if it is aborted.
 */
export async function explain(
  scope: Scope,
  connection: Connection,
  urn: Urn,
  { target, ...options }: ExplainOptions,
): Promise<Explained> {
  const { address } = connection.endpoint;
  const { settings } = scope.repository;
  refuseOtherServer(address, settings.server);
  await checkServer(connection, options.signal);
  return await explainWith(scope, createReader({ reads: settings.reads, ...connection }), urn, {
    ...options,
    target: target ?? address,
    canDiscover: true,
  });
}

/**
 * Explains an entity from a snapshot, without a server. Throws `ManifestError` if the snapshot does not contain the entity or its
 * match keys.
 */
export async function explainSnapshot(
  scope: Scope,
  snapshot: Snapshot,
  urn: Urn,
  options: Omit<ExplainOptions, "target">,
): Promise<Explained> {
  const { target } = snapshot;
  const reader = snapshotReader(revealedFor(scope, snapshot));
  return await explainWith(scope, reader, urn, { ...options, target, canDiscover: false }).catch(
    (error: unknown) => {
      const isMissing = error instanceof CatalogError && error.message.endsWith(missingEntry);
      throw isMissing
        ? new ManifestError([{ code: "not-in-snapshot", severity: "error", args: { urn } }])
        : error;
    },
  );
}

async function explainWith(
  scope: Scope,
  reader: Reader,
  urn: Urn,
  {
    createdAt,
    target,
    column: named,
    signal,
    canDiscover,
    pastRuns,
  }: ExplainOptions & { readonly target: string; readonly canDiscover: boolean },
): Promise<Explained> {
  const options = { signal };
  const read = pastRuns && pastRunsOf(scope, createdAt, pastRuns);
  const found = await readSides(scope, reader, { urn, column: named, canDiscover, pastRuns: read }, options);
  if (typeof found === "string") return { fault: found };
  const { asset, sides, kind, documents } = found;
  const { rules, exempt } = scope.desired;
  const columns = named === undefined ? [] : columnsNamed(named, asset);
  const [column] = columns;
  if (named !== undefined && (!column || columns.length > 1)) return noColumn(columns, asset);
  const values = (sides.live ? liveValues(sides.live) : []).map((each) => ({
    ...each,
    reason: "other-writer" as const,
  }));
  const writerOf = await readLastWriters(reader, { changes: [], unmanaged: values }, options);
  const about = { urn, kind: kind.name, at: createdAt };
  const ofKind = scope.desired.policies.filter((policy) => policy.kind === kind.name);
  const policies = await explainedPolicies(scope, reader, about, options);
  const shown = column ? policies.filter((each) => each.column === column.path) : policies;
  const explanation: Explanation = {
    formatVersion: "1",
    tool,
    createdAt,
    target,
    urn,
    kind: kind.name,
    exists: sides.live !== undefined,
    documents: documents.flatMap(({ origin }) => origin ?? []),
    ...(asset && { asset: { keys: keysOf(asset), ...(column && { column }) } }),
    facets: explainedFacets({ ...sides, writerOf }, column?.path),
    rules: asset ? explainedRules(rules, { exempt: exempt.get(urn), asset, column }) : [],
    ...(shown.length > 0 && { policies: shown }),
    problems: [...found.problems, ...(await releaseProblemsOf(ofKind, reader, options))],
    names: {},
  };
  return { explanation: { ...explanation, names: await readNamesIn(explanation, found, reader, options) } };
}

function columnsNamed(named: string, asset: Asset | undefined): readonly AssetColumn[] {
  const columns = asset?.columns ?? [];
  const exact = columns.filter(({ path }) => path === named);
  return exact.length > 0 ? exact : columns.filter(({ name }) => name === named);
}

function noColumn(several: readonly AssetColumn[], asset: Asset | undefined): Explained {
  if (several.length > 0) return { fault: "several-columns", candidates: several.map(({ path }) => path) };
  return { fault: "no-column", candidates: (asset?.columns ?? []).map(({ name }) => name) };
}

async function readNamesIn(
  explanation: Explanation,
  { names }: EntitySides,
  reader: Reader,
  options: ReadOptions,
): Promise<Names> {
  const shown = [...new Set(textsDeep(explanation))].filter(isUrn).filter(canHaveDisplayName);
  const unknown = shown.filter((urn) => !names.has(urn));
  return namesFor(shown, new Map([...names, ...(await readNames(reader, unknown, options))])) ?? {};
}
