/** Defines the default users who write to the catalog, and creates audit trails for writes. */

import type { AuditTrail } from "./aspect-store.ts";

/**
 * DataHub's root user, which DataHub creates on its first start. The local catalog attributes every request with a token to this
 * user.
 */
export const catalogUser = "urn:li:corpuser:datahub";

/** DataHub's system user, which writes default aspects. Without authentication, DataHub attributes all requests to this user. */
export const systemUser = "urn:li:corpuser:__datahub_system";

/** The run id that DataHub stores for writes outside ingestion runs. */
export const noRunId = "no-run-id-provided";

/** Creates the audit trail for a write outside an ingestion run. */
export function auditTrail(actor: string, time: number): AuditTrail {
  return { actor, time, systemMetadata: { lastObserved: time, runId: noRunId, lastRunId: noRunId } };
}
