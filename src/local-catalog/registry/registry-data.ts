import { readFileSync } from "node:fs";
import { packageFile } from "../../files/package-file.ts";

/** What `test/contract/registry.mjs` takes from DataHub's registry. */
interface RegistryData {
  /** Aspects that DataHub stores as points in time in its search index, not in its primary store. */
  readonly timeseries: readonly string[];
  readonly entities: Readonly<Record<string, EntityRow>>;
  /** The class of each aspect, without its leading `com.linkedin.`. */
  readonly classes: Readonly<Record<string, string>>;
  /** The records and enums that aspects are made of, in the notation that the script describes. */
  readonly records: readonly string[];
}

interface EntityRow {
  readonly keyAspect: string;
  /** In the order of the URN's parts. */
  readonly keyFields: readonly string[];
  /** Those beside the key. */
  readonly aspects: readonly string[];
}

/** DataHub's registry of entities and aspects. */
export const registryData: RegistryData = JSON.parse(
  readFileSync(packageFile("schemas/datahub-registry.json"), "utf8"),
);
