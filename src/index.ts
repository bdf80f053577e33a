export { createReader, createWriter, type Reader, type Writer } from "./datahub/client/client.ts";
export { type Connection, ConnectionError, connectionTo } from "./datahub/client/connection.ts";
export { type Desired, readDesired } from "./manifests/desired-state.ts";
export { CatalogError } from "./model/catalog-error.ts";
export type { Plan, PlanHeader } from "./model/plan.ts";
export type { Report } from "./model/report.ts";
export { apply, plan } from "./reconcile.ts";
