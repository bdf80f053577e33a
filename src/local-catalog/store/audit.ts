import type { AuditTrail } from "./aspect-store.ts";

/** The user that DataHub creates at its first start. In the local catalog every request with a token is made by this user. */
export const catalogUser = "urn:li:corpuser:datahub";

/** The user that DataHub itself is: it writes its own defaults, and makes the requests where there is no authentication. */
export const systemUser = "urn:li:corpuser:__datahub_system";

/** The run id that DataHub stores for a write outside of an ingestion run. */
export const noRunId = "no-run-id-provided";

/** The audit trail of a write outside of an ingestion run. */
export function auditTrail(actor: string, time: number): AuditTrail {
  return { actor, time, systemMetadata: { lastObserved: time, runId: noRunId, lastRunId: noRunId } };
}
