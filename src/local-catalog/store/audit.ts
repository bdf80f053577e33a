/** Names the users who write to the catalog, and creates the audit trail of a write. */

import type { AuditTrail } from "./aspect-store.ts";

/** The user that DataHub creates at its first start. The local catalog attributes every request with a token to this user. */
export const catalogUser = "urn:li:corpuser:datahub";

/** The user for DataHub itself: it writes defaults, and makes all requests if there is no authentication. */
export const systemUser = "urn:li:corpuser:__datahub_system";

/** The run id that DataHub stores for a write outside of an ingestion run. */
export const noRunId = "no-run-id-provided";

/** The audit trail of a write outside of an ingestion run. */
export function auditTrail(actor: string, time: number): AuditTrail {
  return { actor, time, systemMetadata: { lastObserved: time, runId: noRunId, lastRunId: noRunId } };
}
