import type { JsonObject } from "../../model/json.ts";
import type { AspectStore } from "./aspect-store.ts";
import { writeAspect } from "./aspect-write.ts";

/** The user that DataHub makes at its first start; in the local catalog every request is this user's. */
export const catalogUser = "urn:li:corpuser:datahub";

/** The user that DataHub writes its own defaults as. */
const systemUser = "urn:li:corpuser:__datahub_system";

type FreshAspect = readonly [urn: string, aspect: string, value: JsonObject];

/**
 * Stores what a fresh DataHub holds and its clients count on: the four system ownership types
 * (bootstrap_mcps/ownership-types.yaml) and the first user (bootstrap_mcps/root-user.yaml). What is there already stays.
 */
export function seedCatalog(store: AspectStore, time: number): void {
  const stamp = { time, actor: systemUser };
  const audit = {
    actor: systemUser,
    time,
    systemMetadata: { lastObserved: time, runId: "no-run-id-provided", lastRunId: "no-run-id-provided" },
  };
  store.transaction(() => {
    for (const [urn, aspect, value] of [...ownershipTypes(stamp), ...firstUser(stamp)]) {
      if (!store.has(urn, aspect)) writeAspect(store, urn, aspect, value, audit);
    }
  });
}

function ownershipTypes(stamp: JsonObject): FreshAspect[] {
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
  return rows.map(([id, name, description]) => [
    `urn:li:ownershipType:__system__${id}`,
    "ownershipTypeInfo",
    { name, description, created: stamp, lastModified: stamp },
  ]);
}

function firstUser(stamp: JsonObject): FreshAspect[] {
  return [
    [catalogUser, "corpUserInfo", { active: true, displayName: "DataHub", title: "DataHub Root User" }],
    [catalogUser, "corpUserStatus", { status: "ACTIVE", lastModified: stamp }],
    [catalogUser, "status", { removed: false }],
  ];
}
