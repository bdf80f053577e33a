import { edgeSets } from "../../facets/index.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Reader } from "../../datahub/client.ts";
import { probeDocument, probeTypes } from "./available-fields.ts";

const type = "FeatureFlagsConfig";

/** The query for a feature flag of the server. Only newer servers know those that are asked for. */
export function featureFlagDocument(flag: string): string {
  return `query ReadFeatureFlag { appConfig { featureFlags { ${flag} } } }`;
}

/** All that `readFeatureFlag` asks for a plan. */
export const featureFlagDocuments: ReadonlySet<string> = new Set(
  edgeSets.flatMap(({ exclusive }) =>
    exclusive ? [probeDocument(type), featureFlagDocument(exclusive.unless)] : [],
  ),
);

/**
 * Whether a feature flag is on; also `false` where the server has none of that name. `undefined` where introspection is off: then
 * it is not known whether the flag can be asked for. Throws `CatalogError` where it cannot be read.
 */
export async function readFeatureFlag(
  reader: Reader,
  flag: string,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  const fields = await probeTypes(reader, [type], signal);
  if (fields.size === 0) return undefined;
  if (!fields.has(`${type}.${flag}`)) return false;
  const { data, errors } = await reader.query(featureFlagDocument(flag), {}, signal);
  const config: unknown = data?.["appConfig"];
  const flags = isJsonObject(config) ? config["featureFlags"] : undefined;
  const value = isJsonObject(flags) ? flags[flag] : undefined;
  if (typeof value === "boolean") return value;
  const reason = errors[0]?.message ?? "the answer of the server does not include it";
  throw new CatalogError("answer", `the setting ${flag} of the server could not be read: ${reason}`);
}
