/**
 * Checks whether the server and the token allow conditional writes, and finds aspects for which a single proposal should replace
 * many mutations. Both steps also determine how the values are attributed.
 */

import { facetNamed } from "../../facets/index.ts";
import { largeEdits, writesOf } from "../../facets/writes.ts";
import type { Privilege } from "../../kinds/kind.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { isListEdit, type Operation, type Proposal } from "../../model/operation.ts";
import type { PlannedChanges, PlanOrigin } from "../../model/plan.ts";
import type { Urn } from "../../model/urn.ts";
import { operationsOf } from "../../plan/order/operations.ts";
import type { Reader, Writer } from "../../datahub/client.ts";
import { readActor } from "../read/actor.ts";
import { grantedPrivileges } from "../read/granted-privileges.ts";
import { hasConditionalWrites, probeTypes } from "../read/capabilities.ts";
import { typesOf } from "../read/optional-types.ts";
import type { Provenance } from "./apply-edits.ts";
import { privilegeLabel, privilegeOfAspects } from "../read/privileges.ts";

/** The source of values that this tool writes. It is the URN of a DataHub action. */
const source = "urn:li:dataHubAction:datahub-gitops";

/**
 * The user for all requests to a server without authentication. This is DataHub's system user, which needs no policy for any
 * action.
 */
export const systemUser = "urn:li:corpuser:__datahub_system";

/**
 * Checks that the server supports conditional writes and that the token may write each aspect. Also determines how to attribute
 * values. Returns `undefined` for plans without conditional writes, and after an interruption. Throws `CatalogError` with the
 * missing feature or privilege.
 */
export async function checkConditionalWrites(
  writer: Writer,
  operations: readonly Operation[],
  plan: PlanOrigin,
  signal?: AbortSignal,
): Promise<Provenance | undefined> {
  const edits = operations.filter(isEdit);
  if (plan.writes !== "conditional" || edits.length === 0) return undefined;
  try {
    return await provenanceOf(writer, edits, plan, signal);
  } catch (error) {
    if (signal?.aborted && error === signal.reason) return undefined;
    throw error;
  }
}

/**
 * Finds aspects with so many changes that a single proposal should replace the mutations. Returns each aspect with its
 * attribution. Returns none for `writes: conditional`, where proposals edit all aspects anyway. Also returns none if the server
 * does not support conditional writes or the token may not write these aspects, because mutations still work.
 */
export async function findLargeEdits(
  writer: Writer,
  plan: PlanOrigin & PlannedChanges,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Provenance>> {
  const edited = plan.writes === "conditional" ? new Set<string>() : largeEdits(plan.changes);
  if (edited.size === 0) return new Map();
  const operations = operationsOf(
    { changes: plan.changes.filter((change) => writesOf(change, { edited }) === "conditional") },
    edited,
  );
  try {
    const provenance = await provenanceOf(writer, operations.filter(isEdit), plan, signal);
    return new Map([...edited].map((aspect) => [aspect, provenance]));
  } catch (error) {
    const isInterrupted = signal?.aborted && error === signal.reason;
    if (isInterrupted || error instanceof CatalogError) return new Map();
    throw error;
  }
}

/** An operation that edits an aspect that other writers may have changed. */
interface Edit extends Operation {
  readonly request: Proposal;
}

// Excludes operations whose facets all lack `editing`, such as changes to a group's members.
function isEdit(operation: Operation): operation is Edit {
  const { request, changes } = operation;
  return (
    request.type === "proposal" &&
    (request.edits ?? request.beside) !== undefined &&
    changes.some(
      (change) =>
        isFacetChange(change) && facetNamed(change.facet)[change.shape]?.editing?.aspect(change.kind),
    )
  );
}

async function provenanceOf(
  writer: Writer,
  edits: readonly Edit[],
  { tool, git }: PlanOrigin,
  signal: AbortSignal | undefined,
): Promise<Provenance> {
  if (!(await hasConditionalWrites(writer, signal))) {
    throw new CatalogError(
      "unsupported",
      "the server does not support conditional writes: `writes: conditional` needs DataHub 0.14 or later; nothing was written. Upgrade the server, or set `writes: graphql`",
    );
  }
  const actor = await readActor(writer, signal, ", so nothing was written");
  if (actor !== systemUser) await refuseForbidden(writer, edits, actor, signal);
  return {
    actor,
    source,
    detail: { tool, ...(git.commit !== null && { commit: git.commit }) },
    keeps: await probeTypes(writer, typesOf(attributionsIn(edits)), signal),
  };
}

function attributionsIn(edits: readonly Edit[]): readonly string[] {
  return edits.flatMap(({ request }) =>
    [...(request.edits ?? []), ...(request.beside?.edits ?? [])].flatMap((edit) =>
      isListEdit(edit) ? (edit.attribution ?? []) : (edit.patch?.since ?? []),
    ),
  );
}

async function refuseForbidden(
  reader: Reader,
  edits: readonly Edit[],
  actor: Urn,
  signal: AbortSignal | undefined,
): Promise<void> {
  const forbidden: Forbidden[] = [];
  const byEntity = [...groupBy(edits.filter(isOfExisting), ({ request }) => request.urn)];
  const samples = byEntity.flatMap(([urn, own]) =>
    (own[0]?.changes ?? []).slice(0, 1).map((change) => [{ urn, own }, change] as const),
  );
  for await (const { item, platform = [], own: onEntity, reason } of grantedPrivileges(
    reader,
    actor,
    samples,
    signal,
  )) {
    const { urn, own } = item;
    const needed = privilegeOfAspects(urn);
    if (!onEntity) throw unreadPrivileges(urn, reason);
    const granted = new Set([...platform, ...onEntity]);
    if (!own.every((operation) => isGranted(operation, needed, granted))) forbidden.push({ urn, needed });
  }
  if (forbidden.length > 0) throw forbiddenError(forbidden);
}

// The server cannot report privileges on entities that do not exist yet.
function isOfExisting({ changes }: Operation): boolean {
  return changes.every(({ action }) => action !== "create");
}

/** An entity that the token may not write to, and the missing privilege. */
interface Forbidden {
  readonly urn: Urn;
  readonly needed: Privilege;
}

/**
 * Whether the token may write an operation's changes. The server does not report whether a facet's own privilege is enough. For
 * tags, it has been enough since pull request #18011. An older server rejects the write, and its message contains the required
 * privilege.
 */
function isGranted({ changes }: Operation, needed: Privilege, granted: ReadonlySet<unknown>): boolean {
  if (granted.has(needed.name)) return true;
  return changes.filter(isFacetChange).every(({ facet, shape }) => {
    const { privilege, [shape]: writes } = facetNamed(facet);
    return writes?.editing?.isWithOwnPrivilege === true && granted.has(privilege?.name);
  });
}

function unreadPrivileges(urn: Urn, reason = "the response contains no privileges"): CatalogError {
  return new CatalogError(
    "answer",
    `could not read the token's privileges on ${urn}, so nothing was written: ${reason}`,
  );
}

const maxNamed = 3;

function forbiddenError(forbidden: readonly Forbidden[]): CatalogError {
  const rest = forbidden.length - maxNamed;
  const urns = forbidden.slice(0, maxNamed).map(({ urn }) => urn);
  const named = urns.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  const needed = new Set(forbidden.map((each) => privilegeLabel(each.needed)));
  return new CatalogError(
    "unauthorized",
    `this token cannot write conditionally to ${named} without the privilege ${[...needed].join(" or ")}, so nothing was written. Grant the privilege, or set \`writes: graphql\``,
  );
}
