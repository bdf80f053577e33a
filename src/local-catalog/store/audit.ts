/** Names the users who write to the catalog, and creates audit trails for their writes. */

import type { AuditTrail } from "./aspect-store.ts";

/** The user that DataHub creates at its first start. The local catalog treats it as the author of every request with a token. */
export const catalogUser = "urn:li:corpuser:datahub";

/** DataHub's internal user. It writes defaults, and is the author of all requests if there is no authentication. */
export const systemUser = "urn:li:corpuser:__datahub_system";

/** The run id that DataHub stores for writes outside ingestion runs. */
export const noRunId = "no-run-id-provided";

/** Creates the audit trail for a write outside an ingestion run. */
export function auditTrail(actor: string, time: number): AuditTrail {
  return { actor, time, systemMetadata: { lastObserved: time, runId: noRunId, lastRunId: noRunId } };
}
