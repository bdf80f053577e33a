/** Defines the edits that users make in the UI during the demo, and sends them as the UI does. */

import type { Writer } from "../../datahub/client.ts";
import { RunError } from "../errors.ts";

/** An edit in the DataHub UI. */
export interface UiEdit {
  readonly description: string;
  readonly urn: string;
  readonly mutation: string;
}

const customers = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.customers,PROD)";
const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,analytics.orders.fct_orders,PROD)";
const revenue = "urn:li:dataset:(urn:li:dataPlatform:snowflake,analytics.finance.revenue_daily,PROD)";

/** Three edits that contradict the manifests. Each edit changes a different entity. */
export const uiEdits: readonly UiEdit[] = [
  {
    description: "Jun removes the pii tag from the column email of shop.public.customers (postgres).",
    urn: customers,
    mutation: `removeTag(input: { tagUrn: "urn:li:tag:pii", resourceUrn: "${customers}", subResourceType: DATASET_FIELD, subResource: "email" })`,
  },
  {
    description: "Sofia moves analytics.orders.fct_orders (snowflake) to the domain marketing.",
    urn: orders,
    mutation: `setDomain(entityUrn: "${orders}", domainUrn: "urn:li:domain:marketing")`,
  },
  {
    description: "Noah makes himself an owner of analytics.finance.revenue_daily (snowflake).",
    urn: revenue,
    mutation: `addOwner(input: { ownerUrn: "urn:li:corpuser:noah.fischer", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER, ownershipTypeUrn: "urn:li:ownershipType:__system__technical_owner", resourceUrn: "${revenue}" })`,
  },
];

/** Sends an edit as the UI does. Throws `RunError` if the catalog rejects the edit. */
export async function makeEdit({ mutation, description }: UiEdit, writer: Writer): Promise<void> {
  const { errors } = await writer.mutate(`mutation { ${mutation} }`, {});
  const [error] = errors;
  if (error)
    throw new RunError(`the catalog rejected a change made by the demo (${description}): ${error.message}`);
}
