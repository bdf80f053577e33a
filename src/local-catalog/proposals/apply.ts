import type { JsonObject } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "../store/aspect-store.ts";
import { entityExists, writeAspect } from "../store/aspect-write.ts";
import { entityTypeFor } from "../registry/entity-urn.ts";
import { meetsPreconditions } from "./preconditions.ts";
import { patchedAspect } from "./aspect-patch.ts";
import { validateAspect } from "../registry/validate-aspect.ts";
import { addDefaultAspects } from "../store/default-aspects.ts";
import { checkFieldPaths } from "./field-paths.ts";
import { catalogUser } from "../store/seed.ts";
import type { Proposal } from "./proposal.ts";
import { isTimeseries } from "../registry/aspects.ts";

/**
 * Applies a batch of proposals in one transaction, in order. Conditions hold of what is stored before the batch,
 * so that an entity may be made by CREATE_ENTITY and CREATE in one. Where a batch writes an aspect several times
 * it is stored once, as the last left it (EntityServiceImpl.ingestAspects). Points in time are taken and not
 * stored. The answer is the proposals that were not left out by `If-None-Match`.
 * @throws RequestError when one of them is refused; nothing is written then.
 */
export function applyProposals(
  store: AspectStore,
  proposals: readonly Proposal[],
  now: number,
): readonly Proposal[] {
  return store.transaction(() => {
    const applied = proposals.filter((proposal) => meetsPreconditions(store, proposal));
    const stored = applied.filter(({ aspect }) => !isTimeseries(aspect));
    for (const { aspect, value } of applied) if (isTimeseries(aspect)) validateAspect(aspect, value);
    const fresh = new Map<string, Proposal>();
    for (const proposal of stored)
      if (!fresh.has(proposal.urn) && !entityExists(store, proposal.urn)) fresh.set(proposal.urn, proposal);
    for (const pending of pendingAspects(store, stored).values()) writePending(store, pending, now);
    for (const [urn, proposal] of fresh)
      if (entityExists(store, urn)) addDefaultAspects(store, urn, auditOf(proposal, now));
    return applied;
  });
}

/** What is to become of one aspect; without a value it is deleted. */
interface PendingAspect {
  readonly proposal: Proposal;
  readonly value: JsonObject | undefined;
}

function pendingAspects(store: AspectStore, proposals: readonly Proposal[]): Map<string, PendingAspect> {
  const pending = new Map<string, PendingAspect>();
  for (const proposal of proposals) {
    const { urn, aspect } = proposal;
    const place = `${urn} ${aspect}`;
    const before = (): JsonObject | undefined =>
      pending.has(place) ? pending.get(place)?.value : store.latest(urn, aspect)?.value;
    pending.set(place, { proposal, value: outcome(proposal, before) });
  }
  return pending;
}

function outcome(
  { urn, aspect, changeType, value }: Proposal,
  before: () => JsonObject | undefined,
): JsonObject | undefined {
  if (changeType === "DELETE") return undefined;
  const after = changeType === "PATCH" ? patchedAspect(aspect, before(), value) : value;
  if (aspect !== entityTypeFor(urn).keyAspect) validateAspect(aspect, after);
  return after;
}

function writePending(store: AspectStore, { proposal, value }: PendingAspect, now: number): void {
  const { urn, aspect } = proposal;
  if (value) {
    checkFieldPaths(urn, aspect, value);
    writeAspect(store, urn, aspect, value, auditOf(proposal, now));
  } else if (aspect === entityTypeFor(urn).keyAspect) store.deleteEntity(urn);
  else store.deleteAspect(urn, aspect);
}

/** Who writes now, in no run of its own. */
export function auditNow(now: number): AuditTrail {
  const run = "no-run-id-provided";
  return { actor: catalogUser, time: now, systemMetadata: { lastObserved: now, runId: run, lastRunId: run } };
}

function auditOf({ systemMetadata }: Proposal, now: number): AuditTrail {
  const audit = auditNow(now);
  return { ...audit, systemMetadata: { ...audit.systemMetadata, ...systemMetadata } };
}
