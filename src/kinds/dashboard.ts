/** Defines the kind for dashboards in BI tools. */

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
  describedAs: "A monthly overview for the finance team.",
  examples: {
    urn: ["urn:li:dashboard:(looker,finance)"],
    platform: ["looker", "tableau", "powerbi", "superset"],
    name: ["finance"],
    platform_instance: ["eu"],
  },
});
