/** Derives and stores a new entity's platform and browse path. */

import type { JsonObject } from "../../model/json.ts";
import { platformOf } from "../registry/entity-types.ts";
import { parseEntityUrn, type EntityUrn } from "../registry/entity-urn.ts";
import type { AspectStore, AuditTrail } from "./aspect-store.ts";

/**
 * Adds the aspects that DataHub derives for a new entity. Does not replace existing aspects (metadata-io DefaultAspectsUtil.java,
 * BrowsePathV2Utils.java, DataPlatformInstanceUtils.java).
 */
export function addDefaultAspects(store: AspectStore, urn: string, audit: AuditTrail): void {
  const entity = parseEntityUrn(urn);
  const platform = platformOf(urn);
  const defaults = {
    dataPlatformInstance: platform === undefined ? undefined : { platform },
    browsePathsV2: browsePath(entity),
  };
  for (const [aspect, value] of Object.entries(defaults)) {
    if (value && entity.type.aspects.has(aspect) && !store.has(urn, aspect))
      store.put(urn, aspect, value, audit);
  }
}

function browsePath({ type, key }: EntityUrn): JsonObject {
  const folders = type.name === "dataset" ? (key["name"] ?? "").split(".").slice(0, -1) : [];
  const path = folders.filter((folder) => folder !== "").map((id) => ({ id }));
  return { path: path.length > 0 ? path : [{ id: "Default" }] };
}
