/** Defines the kind for tasks in a data flow. Their URNs contain the flow and its cluster. */

import { assetKind } from "./asset.ts";

export const dataJob = assetKind({
  name: "DataJob",
  noun: "data job",
  plural: "data jobs",
  entityType: "dataJob",
  typename: "DataJob",
  searchType: "DATA_JOB",
  page: "tasks",
  has: ["container", "subtype"],
  isContainerStored: true,
  describedAs: "Loads the invoices.",
  examples: {
    urn: ["urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)"],
    platform: ["airflow", "dagster", "spark"],
    flow: ["daily"],
    name: ["load"],
  },
});
