/** Stores the entities that every new DataHub server contains. */

import type { JsonObject } from "../../model/json.ts";
import type { AspectStore } from "./aspect-store.ts";
import { writeAspect, type NewAspect } from "./aspect-write.ts";
import { auditTrail, catalogUser, systemUser } from "./audit.ts";

/**
 * Stores the entities that clients need: the four system ownership types (bootstrap_mcps/ownership-types.yaml) and the root user
 * (bootstrap_mcps/root-user.yaml). Existing aspects do not change.
 */
export function seedCatalog(store: AspectStore, time: number): void {
  const stamp = { time, actor: systemUser };
  const audit = auditTrail(systemUser, time);
  store.transaction(() => {
    for (const fresh of [...ownershipTypes(stamp), ...firstUser(stamp)]) {
      if (!store.has(fresh.urn, fresh.aspect)) writeAspect(store, fresh, audit);
    }
  });
}

function ownershipTypes(stamp: JsonObject): readonly NewAspect[] {
  const rows = [
    [
      "technical_owner",
      "Technical Owner",
      "Involved in the production, maintenance, or distribution of the asset(s).",
    ],
    [
      "business_owner",
      "Business Owner",
      "Principle stakeholders or domain experts associated with the asset(s).",
    ],
    ["data_steward", "Data Steward", "Involved in governance of the asset(s)."],
    ["none", "None", "No ownership type specified."],
  ] as const;
  return rows.map(([id, name, description]) => ({
    urn: `urn:li:ownershipType:__system__${id}`,
    aspect: "ownershipTypeInfo",
    value: { name, description, created: stamp, lastModified: stamp },
  }));
}

function firstUser(stamp: JsonObject): readonly NewAspect[] {
  const info = { active: true, displayName: "DataHub", title: "DataHub Root User" };
  return [
    { urn: catalogUser, aspect: "corpUserInfo", value: info },
    { urn: catalogUser, aspect: "corpUserStatus", value: { status: "ACTIVE", lastModified: stamp } },
    { urn: catalogUser, aspect: "status", value: { removed: false } },
  ];
}
