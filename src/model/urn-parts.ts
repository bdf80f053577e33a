/** Splits the URNs of assets into parts, such as platform, name and environment, and validates the parts. */

/** The values of DataHub's FabricType, which is the third part of a dataset URN. */
export const fabrics = [
  "DEV",
  "TEST",
  "QA",
  "UAT",
  "EI",
  "PRE",
  "STG",
  "NON_PROD",
  "PROD",
  "CORP",
  "RVW",
  "SANDBOX",
  "PRD",
  "TST",
  "SIT",
  "SBX",
  "CERT",
] as const;

/** A part of the key in an asset URN. A `tool` is the id of a data platform; a `flow` is the URN of a data flow. */
export type UrnPart = "platform" | "tool" | "flow" | "id" | "fabric" | "cluster";

/** The parts of asset keys in order, keyed by entity type (see the key aspects in metadata-models). */
const partsByType: ReadonlyMap<string, readonly UrnPart[]> = new Map([
  ["dataset", ["platform", "id", "fabric"]],
  ["chart", ["tool", "id"]],
  ["dashboard", ["tool", "id"]],
  ["dataFlow", ["tool", "id", "cluster"]],
  ["dataJob", ["flow", "id"]],
  ["mlModel", ["platform", "id", "fabric"]],
  ["mlModelGroup", ["platform", "id", "fabric"]],
  ["mlFeatureTable", ["platform", "id"]],
  ["notebook", ["tool", "id"]],
]);

/** Returns the parts of the URN key for an entity type; empty if the key is a plain id. */
export function partsOfType(entityType: string): readonly UrnPart[] {
  return partsByType.get(entityType) ?? [];
}

/** An error in the key of an asset URN. `detail` is the required format, or the invalid part. */
export interface PartsFault {
  readonly reason: "asset-parts" | "platform" | "fabric";
  readonly detail: string;
}

/** Returns the error in the key of a URN; `undefined` if the key is valid, or if keys of the entity type have no parts. */
export function partsFault(entityType: string, key: string): PartsFault | undefined {
  const parts = partsByType.get(entityType);
  if (!parts) return undefined;
  const values = key.startsWith("(") && key.endsWith(")") ? splitTuple(key) : [];
  const malformed = (): PartsFault => ({ reason: "asset-parts", detail: formOf(entityType) });
  if (values.length !== parts.length) return malformed();
  for (const [index, part] of parts.entries()) {
    const value = values[index] ?? "";
    // The platform may contain a colon: the Tableau ingestion source uses `webdata-direct:marketo-marketo` as the platform of a
    // dataset.
    if (part === "platform" && !/^urn:li:dataPlatform:(?!urn:)[^(),\s]+$/.test(value))
      return { reason: "platform", detail: value };
    if (part === "fabric" && !fabrics.some((known) => known === value))
      return { reason: "fabric", detail: value };
    const isMalformed = part === "flow" ? !isFlow(value) : value === "" || value.includes(",");
    if (isMalformed) return malformed();
  }
  return undefined;
}

function isFlow(text: string): boolean {
  const start = "urn:li:dataFlow:";
  return text.startsWith(start) && partsFault("dataFlow", text.slice(start.length)) === undefined;
}

const forms: Readonly<Record<UrnPart, string>> = {
  platform: "urn:li:dataPlatform:<platform>",
  tool: "<platform>",
  flow: "urn:li:dataFlow:(<platform>,<flow>,<cluster>)",
  id: "<name>",
  fabric: "<ENV>",
  cluster: "<cluster>",
};

/** Returns the URN format of an entity type, for use in messages. */
function formOf(entityType: string): string {
  return `urn:li:${entityType}:(${partsOfType(entityType)
    .map((part) => forms[part])
    .join(",")})`;
}

/**
 * Splits a key in parentheses into its parts, which stay encoded. A part may be a URN that has commas within its own parentheses.
 */
export function splitTuple(key: string): string[] {
  const inner = key.slice(1, -1);
  if (!inner.includes("(")) return inner.split(",");
  const parts: string[] = [""];
  let depth = 0;
  for (const character of inner) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}
