/** Hides values that belong to soft-deleted structured properties, and checks whether an entity is soft-deleted. */

import type { JsonObject } from "../../model/json.ts";
import { objectsAt, stringAt } from "../json.ts";
import type { AspectStore, StoredAspect } from "./aspect-store.ts";

const aspectName = "structuredProperties";

/**
 * Wraps a store so that reads hide the values of soft-deleted structured properties, as in DataHub
 * (StructuredPropertiesAssignmentMutator.java). The values remain stored until a client reads the aspect without them and writes
 * it back.
 */
export function withoutHiddenValues(store: AspectStore): AspectStore {
  const shown = (aspect: string, value: JsonObject): JsonObject =>
    aspect === aspectName ? withoutRemoved(value, store) : value;
  const shownAspect = (aspect: string, stored: StoredAspect): StoredAspect =>
    aspect === aspectName ? { ...stored, value: shown(aspect, stored.value) } : stored;
  return {
    ...store,
    latest(urn, aspect) {
      const stored = store.latest(urn, aspect);
      return stored && shownAspect(aspect, stored);
    },
    valueAt(urn, aspect, version) {
      const value = store.valueAt(urn, aspect, version);
      return value && shown(aspect, value);
    },
    latestOf: (urn) =>
      new Map([...store.latestOf(urn)].map(([name, stored]) => [name, shownAspect(name, stored)])),
    eachLatest: (urns, aspects, visit) =>
      store.eachLatest(urns, aspects, (urn, aspect, value) => visit(urn, aspect, shown(aspect, value))),
    eachLatestUnder: (prefix, name, visit) =>
      store.eachLatestUnder(prefix, name, (urn, aspect, value) => visit(urn, aspect, shown(aspect, value))),
  };
}

/** Whether an entity is soft-deleted. */
export function isRemoved(urn: string, store: AspectStore): boolean {
  return store.valueAt(urn, "status", 0)?.["removed"] === true;
}

function withoutRemoved(value: JsonObject, store: AspectStore): JsonObject {
  const all = objectsAt(value, "properties");
  const properties = all.filter((each) => !isRemoved(stringAt(each, "propertyUrn") ?? "", store));
  return properties.length === all.length ? value : { ...value, properties };
}
