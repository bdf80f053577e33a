/** The kind of dashboards of BI tools. */

import { assetKind } from "./asset.ts";

export const dashboard = assetKind({
  name: "Dashboard",
  noun: "dashboard",
  plural: "dashboards",
  entityType: "dashboard",
  typename: "Dashboard",
  searchType: "DASHBOARD",
  page: "dashboard",
  has: ["container", "subtype"],
  describedAs: "The monthly overview for finance.",
  examples: {
    urn: ["urn:li:dashboard:(looker,finance)"],
    platform: ["looker", "tableau", "powerbi", "superset"],
    name: ["finance"],
    platform_instance: ["eu"],
  },
});
