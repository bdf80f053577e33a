/** Reads DataHub's registry of entities and aspects from `schemas/datahub-registry.json`, and finds aspect classes. */

import { readFileSync } from "node:fs";
import { packageFile } from "../../files/package-file.ts";

/** The extract from DataHub's registry that `test/contract/registry.mjs` writes. */
interface RegistryData {
  /** Aspects that DataHub stores as points in time in its search index, instead of its primary store. */
  readonly timeseries: readonly string[];
  readonly entities: Readonly<Record<string, EntityRow>>;
  /** Each aspect's class, without its leading `com.linkedin.`. */
  readonly classes: Readonly<Record<string, string>>;
  /** The records and enums in aspects, in the notation that the script describes. */
  readonly records: readonly string[];
}

interface EntityRow {
  readonly keyAspect: string;
  /** The names of the key fields, in the same order as in the URN. */
  readonly keyFields: readonly string[];
  /** The type's aspects, except for the key aspect. */
  readonly aspects: readonly string[];
}

/** DataHub's registry, as read from the file. */
export const registryData: RegistryData = JSON.parse(
  readFileSync(packageFile("schemas/datahub-registry.json"), "utf8"),
);

const classesByAspect: ReadonlyMap<string, string> = new Map(
  Object.entries(registryData.classes).map(([aspect, name]) => [aspect, `com.linkedin.${name}`]),
);

const aspectsByClass: ReadonlyMap<string, string> = new Map(
  [...classesByAspect].map(([aspect, name]) => [name, aspect]),
);

const timeseriesAspects: ReadonlySet<string> = new Set(registryData.timeseries);

/** Finds the aspect that has a class `com.linkedin.…`. Undefined if the registry has none. */
export function aspectOfClass(className: string): string | undefined {
  return aspectsByClass.get(className);
}

/** Finds an aspect's class `com.linkedin.…`. Undefined if the registry has none. */
export function classOfAspect(aspect: string): string | undefined {
  return classesByAspect.get(aspect);
}

/** Whether DataHub stores the aspect as points in time, outside its primary store. */
export function isTimeseries(aspect: string): boolean {
  return timeseriesAspects.has(aspect);
}
