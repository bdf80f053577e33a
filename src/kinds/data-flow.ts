/** Defines the kind for pipelines in an orchestrator. Their URNs have a cluster instead of an environment. */

import { assetKind } from "./asset.ts";

export const dataFlow = assetKind({
  name: "DataFlow",
  noun: "data flow",
  plural: "data flows",
  entityType: "dataFlow",
  typename: "DataFlow",
  searchType: "DATA_FLOW",
  page: "pipelines",
  has: ["container"],
  isContainerStored: true,
  describedAs: "Runs every night.",
  examples: {
    urn: ["urn:li:dataFlow:(airflow,daily,prod)"],
    platform: ["airflow", "dagster", "spark"],
    name: ["daily"],
  },
});
