/** Defines the kind for charts, which BI tools show in dashboards. */

import { assetKind } from "./asset.ts";

export const chart = assetKind({
  name: "Chart",
  noun: "chart",
  plural: "charts",
  entityType: "chart",
  typename: "Chart",
  searchType: "CHART",
  page: "chart",
  has: ["container", "subtype"],
  describedAs: "Revenue by month.",
  examples: {
    urn: ["urn:li:chart:(looker,revenue)"],
    platform: ["looker", "tableau", "powerbi", "superset"],
    name: ["revenue"],
    platform_instance: ["eu"],
  },
});
