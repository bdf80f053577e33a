/** Splits the URNs of assets into parts, and builds URNs from parts. */

import { encodePart, entityTypeOf, keyOf, parseUrn, type Urn, type UrnResult } from "./urn.ts";
import { partsOfType, splitTuple } from "./urn-parts.ts";

/** The parts of an asset URN. `platform` is the id of the platform, and `flow` is the name of the data flow. */
export interface AssetParts {
  readonly platform: string;
  readonly name: string;
  readonly fabric?: string;
  readonly flow?: string;
  readonly cluster?: string;
}

const platformPrefix = "urn:li:dataPlatform:";

/** Returns the parts of an asset URN, without decoding them. */
export function assetPartsOf(urn: Urn): AssetParts {
  const values = splitTuple(keyOf(urn));
  const parts: { -readonly [Part in keyof AssetParts]: AssetParts[Part] } = { platform: "", name: "" };
  for (const [index, part] of partsOfType(entityTypeOf(urn)).entries()) {
    const value = values[index] ?? "";
    if (part === "platform") parts.platform = value.slice(platformPrefix.length);
    else if (part === "tool") parts.platform = value;
    else if (part === "flow") {
      const { name: flow, ...others } = assetPartsOf(value as Urn);
      Object.assign(parts, others, { flow });
    } else if (part === "id") parts.name = value;
    else parts[part] = value;
  }
  return parts;
}

/**
 * Builds an asset URN from its parts. Percent-encodes parentheses and commas in names, as DataHub's own SDK does
 * (metadata-ingestion/src/datahub/utilities/urn_encoder.py).
 */
export function assetUrn(entityType: string, parts: AssetParts): UrnResult {
  const id = parts.platform.startsWith(platformPrefix)
    ? parts.platform.slice(platformPrefix.length)
    : parts.platform;
  const values = partsOfType(entityType).map((part) => {
    if (part === "platform") return platformPrefix + id;
    if (part === "tool") return encodePart(id);
    if (part === "fabric") return parts.fabric ?? "";
    if (part === "id") return encodePart(parts.name);
    if (part === "cluster") return encodePart(parts.cluster ?? "");
    const flow = assetUrn("dataFlow", { ...parts, name: parts.flow ?? "" });
    return "urn" in flow ? flow.urn : "";
  });
  return parseUrn(`urn:li:${entityType}:(${values.join(",")})`);
}
