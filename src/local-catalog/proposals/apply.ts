/** Validates batches of metadata change proposals, and applies either all proposals in a batch or none. */

import type { JsonObject } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "../store/aspect-store.ts";
import { entityExists, storeAspect, writeAspect } from "../store/aspect-write.ts";
import { entityTypeFor } from "../registry/entity-urn.ts";
import { meetsPreconditions } from "./preconditions.ts";
import { patchedAspect } from "./aspect-patch.ts";
import { checkPictureLink } from "../registry/picture-link.ts";
import { validatedAspect } from "../registry/validate-aspect.ts";
import { checkFieldPaths, checkReferredUrns } from "./aspect-checks.ts";
import { addDefaultAspects } from "../store/default-aspects.ts";
import { auditTrail } from "../store/audit.ts";
import { checkedProperties, propertiesAddedBy } from "./structured-properties.ts";
import type { Proposal } from "./proposal.ts";
import { isTimeseries } from "../registry/registry-data.ts";

/** The store to write to, the user who writes, and the settings that a write needs. */
interface Writer {
  readonly store: AspectStore;
  readonly actor: string;
  readonly now: () => number;
  /** Whether the catalog validates proposals before it converts their numbers to doubles. */
  readonly isAlternateValidation: boolean;
}

/**
 * Applies a batch of proposals in one transaction, in order (EntityServiceImpl.ingestAspects). Checks preconditions against the
 * state before the batch, so a single batch can create an entity with CREATE_ENTITY and CREATE. If the batch writes an aspect
 * several times, stores only the last value. Validates timeseries aspects without storing them, but creates their entities.
 * Returns all proposals except those that `If-None-Match` skipped.
 * @throws RequestError when the catalog rejects a proposal. In that case, nothing is written.
 */
export function applyProposals(proposals: readonly Proposal[], by: Writer): readonly Proposal[] {
  const { store } = by;
  return store.transaction(() => {
    const applied = proposals.filter((proposal) => meetsPreconditions(store, proposal));
    const fresh = new Map<string, Proposal>();
    const pending = new Map<string, { readonly proposal: Proposal; readonly value: JsonObject }>();
    for (const proposal of applied) {
      const { urn, aspect } = proposal;
      if (!fresh.has(urn) && !entityExists(store, urn)) fresh.set(urn, proposal);
      if (isTimeseries(aspect)) {
        validatedAspect(aspect, proposal.value);
        continue;
      }
      const place = `${urn} ${aspect}`;
      const before = (): JsonObject | undefined =>
        pending.get(place)?.value ?? store.storedValue(urn, aspect);
      pending.set(place, { proposal, value: outcome(proposal, before, by.now()) });
    }
    for (const { proposal, value } of pending.values()) {
      const { urn, aspect } = proposal;
      checkFieldPaths(urn, aspect, value);
      const checked = checkedProperties({ urn, aspect, value }, store, {
        added: proposal.changeType === "PATCH" ? propertiesAddedBy(proposal.value) : undefined,
        integersAsDoubles: by.isAlternateValidation ? proposal.integersAsDoubles : undefined,
      });
      writeAspect(store, { urn, aspect, value: checked }, auditOf(proposal, by));
    }
    for (const [urn, proposal] of fresh) {
      const audit = auditOf(proposal, by);
      storeAspect(store, { urn, aspect: entityTypeFor(urn).keyAspect, value: {} }, audit);
      addDefaultAspects(store, urn, audit);
    }
    return applied;
  });
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

function auditOf({ systemMetadata }: Proposal, { actor, now }: Writer): AuditTrail {
  const audit = auditTrail(actor, now());
  return { ...audit, systemMetadata: { ...audit.systemMetadata, ...systemMetadata } };
}
