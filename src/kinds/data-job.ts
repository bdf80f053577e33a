/** The kind of tasks in a data flow. The flow and its cluster are parts of their URNs. */

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
