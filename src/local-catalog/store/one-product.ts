/** Ensures that an asset belongs to at most one data product. In DataHub, this restriction is optional. */

import type { JsonObject } from "../../model/json.ts";
import { objectsAt, stringAt } from "../json.ts";
import type { AspectReads, AspectStore, AuditTrail } from "./aspect-store.ts";
import { storeAspect } from "./aspect-write.ts";

const aspect = "dataProductProperties";

/**
 * Wraps a store so that adding an asset to a data product removes it from all other products (DataProductUnsetSideEffect.java).
 * Finds the other products in the index. If one of them no longer exists, the write recreates it as an entity without a name.
 */
export function oneProductPerAsset(store: AspectStore, index: AspectReads): AspectStore {
  const remove = (asset: string, kept: string, audit: AuditTrail): void => {
    const others: string[] = [];
    index.eachContaining(asset, (urn, name, value) => {
      if (name === aspect && urn !== kept && assetsIn(value).includes(asset)) others.push(urn);
    });
    for (const urn of others) {
      const before = store.valueAt(urn, aspect, 0);
      const assets = objectsAt(before, "assets").filter(({ destinationUrn }) => destinationUrn !== asset);
      storeAspect(store, { urn, aspect, value: { ...before, assets } }, audit);
    }
  };
  return {
    ...store,
    put(urn, name, value, audit) {
      if (name !== aspect) return store.put(urn, name, value, audit);
      return store.transaction(() => {
        const before = assetsIn(store.valueAt(urn, name, 0));
        const isChanged = store.put(urn, name, value, audit);
        for (const asset of assetsIn(value)) if (!before.includes(asset)) remove(asset, urn, audit);
        return isChanged;
      });
    },
  };
}

function assetsIn(value: JsonObject | undefined): readonly string[] {
  return objectsAt(value, "assets").map((association) => stringAt(association, "destinationUrn") ?? "");
}
