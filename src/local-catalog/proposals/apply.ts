import type { JsonObject } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "../store/aspect-store.ts";
import { entityExists, storeAspect, writeAspect } from "../store/aspect-write.ts";
import { entityTypeFor } from "../registry/entity-urn.ts";
import { meetsPreconditions } from "./preconditions.ts";
import { patchedAspect } from "./aspect-patch.ts";
import { checkPictureLink } from "../registry/picture-link.ts";
import { validatedAspect } from "../registry/validate-aspect.ts";
import { checkReferredUrns } from "./referred-urns.ts";
import { addDefaultAspects } from "../store/default-aspects.ts";
import { checkFieldPaths } from "./field-paths.ts";
import { auditTrail } from "../store/audit.ts";
import type { Proposal } from "./proposal.ts";
import { isTimeseries } from "../registry/aspects.ts";

/** Who writes, and the time of day in milliseconds. */
interface Writer {
  readonly actor: string;
  readonly now: () => number;
}

/**
 * Applies a batch of proposals in one transaction, in order (EntityServiceImpl.ingestAspects). Preconditions are tested
 * against the state before the batch, so one batch can create an entity by CREATE_ENTITY and CREATE. An aspect that the
 * batch writes several times is stored once, with its last value. Timeseries aspects are validated and not stored; the first of an entity creates it.
 * Returns the proposals that `If-None-Match` did not skip.
 * @throws RequestError when a proposal is rejected. Nothing is written then.
 */
export function applyProposals(
  store: AspectStore,
  proposals: readonly Proposal[],
  by: Writer,
): readonly Proposal[] {
  return store.transaction(() => {
    const applied = proposals.filter((proposal) => meetsPreconditions(store, proposal));
    const stored = applied.filter(({ aspect }) => !isTimeseries(aspect));
    for (const { aspect, value } of applied) if (isTimeseries(aspect)) validatedAspect(aspect, value);
    const fresh = new Map<string, Proposal>();
    for (const proposal of applied)
      if (!fresh.has(proposal.urn) && !entityExists(store, proposal.urn)) fresh.set(proposal.urn, proposal);
    for (const pending of pendingAspects(store, stored, by.now()).values()) writePending(store, pending, by);
    for (const [urn, proposal] of fresh) {
      const audit = auditOf(proposal, by);
      storeAspect(store, { urn, aspect: entityTypeFor(urn).keyAspect, value: {} }, audit);
      addDefaultAspects(store, urn, audit);
    }
    return applied;
  });
}

/** The new value of an aspect. */
interface PendingAspect {
  readonly proposal: Proposal;
  readonly value: JsonObject;
}

function pendingAspects(
  store: AspectStore,
  proposals: readonly Proposal[],
  now: number,
): Map<string, PendingAspect> {
  const pending = new Map<string, PendingAspect>();
  for (const proposal of proposals) {
    const { urn, aspect } = proposal;
    const place = `${urn} ${aspect}`;
    const before = (): JsonObject | undefined =>
      pending.get(place)?.value ?? store.latest(urn, aspect)?.value;
    pending.set(place, { proposal, value: outcome(proposal, before, now) });
  }
  return pending;
}

function outcome(
  { urn, aspect, changeType, value }: Proposal,
  before: () => JsonObject | undefined,
  now: number,
): JsonObject {
  const sent = changeType === "PATCH" ? patchedAspect(aspect, before(), { sent: value, now }) : value;
  if (aspect === entityTypeFor(urn).keyAspect) return sent;
  const after = validatedAspect(aspect, sent);
  checkReferredUrns(aspect, after);
  checkPictureLink(aspect, after);
  return after;
}

function writePending(store: AspectStore, { proposal, value }: PendingAspect, by: Writer): void {
  const { urn, aspect } = proposal;
  checkFieldPaths(urn, aspect, value);
  writeAspect(store, { urn, aspect, value }, auditOf(proposal, by));
}

function auditOf({ systemMetadata }: Proposal, { actor, now }: Writer): AuditTrail {
  const audit = auditTrail(actor, now());
  return { ...audit, systemMetadata: { ...audit.systemMetadata, ...systemMetadata } };
}
