declare const urnBrand: unique symbol;

/** A well-formed DataHub URN. Made only by `parseUrn` and the kinds. */
export type Urn = string & { readonly [urnBrand]: true };

/** Why a text is not a URN; `detail` is the wrong part, if there is one. */
export interface UrnFault {
  readonly reason:
    | "prefix"
    | "white-space"
    | "empty-key"
    | "brackets"
    | "separator"
    | "parts"
    | "length"
    | "asset-parts"
    | "platform"
    | "fabric"
    | "entity-type";
  readonly detail?: string;
}

export type UrnResult = { readonly urn: Urn } | { readonly fault: UrnFault };

/** DataHub's limit for a URL-encoded URN (metadata-utils UrnValidationUtil.java). */
const maxUrnBytes = 512;

/** The values of DataHub's FabricType, the third part of a dataset URN. */
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

const urnPattern = /^urn:li:([A-Za-z][A-Za-z0-9]*):([\s\S]*)$/;

/**
 * Parses a URN of any entity type, by the rules of DataHub (UrnValidationUtil.java), which drops proposals for others and
 * answers success. One malformed URN fails a whole batch (DatasetType.java, batchLoad), so the parts of those of assets are
 * checked.
 */
export function parseUrn(text: string): UrnResult {
  const match = urnPattern.exec(text);
  if (!match) return { fault: { reason: "prefix" } };
  const [, entityType = "", key = ""] = match;
  // DataHub stores a key that begins with blanks, and drops one that ends with some.
  if (key !== key.trimEnd()) return { fault: { reason: "white-space" } };
  if (key === "") return { fault: { reason: "empty-key" } };
  if (text.length > maxUrnBytes) return { fault: { reason: "length" } };
  if (key.includes("\u241F")) return { fault: { reason: "separator" } };
  if (!hasBalancedBrackets(key)) return { fault: { reason: "brackets" } };
  // A character outside ASCII takes up to nine bytes when encoded.
  if (text.length * 9 > maxUrnBytes && mayBeTooLong(text) && encodedLength(text) > maxUrnBytes)
    return { fault: { reason: "length" } };
  const parts = partsByType.get(entityType);
  const fault = parts && partsFault(entityType, parts, key);
  return fault ? { fault } : { urn: text as Urn };
}

/** Whether a value of a well-formed plan, aspect or manifest is a URN. */
export function isUrn(value: unknown): value is Urn {
  return typeof value === "string" && value.startsWith("urn:li:");
}

/** The entity type of a URN as it is spelt there: `dataset`, `corpuser`, `corpGroup`, … */
export function entityTypeOf(urn: Urn): string {
  const start = urn.indexOf(":", urn.indexOf(":") + 1) + 1;
  const end = urn.indexOf(":", start);
  return end < 0 ? urn.slice(start) : urn.slice(start, end);
}

/** Whether the key of a URN has several parts in brackets, or an open bracket. In manifests only assets have such a key. */
export function hasSeveralParts(urn: Urn): boolean {
  const key = keyOf(urn);
  if (!key.startsWith("(")) return false;
  return !key.endsWith(")") || key === "()" || splitTuple(key).length > 1;
}

/** What follows the entity type of a URN: its id, or its parts in brackets. */
export function keyOf(urn: Urn): string {
  return urn.slice(`urn:li:${entityTypeOf(urn)}:`.length);
}

/** A part of the key of an asset's URN. A `tool` is the id of a data platform, a `flow` the URN of a data flow. */
export type UrnPart = "platform" | "tool" | "flow" | "id" | "fabric" | "cluster";

/** The parts of the keys of assets, in their order, by entity type (the key aspects in metadata-models). */
const partsByType: ReadonlyMap<string, readonly UrnPart[]> = new Map([
  ["dataset", ["platform", "id", "fabric"]],
  ["chart", ["tool", "id"]],
  ["dashboard", ["tool", "id"]],
  ["dataFlow", ["tool", "id", "cluster"]],
  ["dataJob", ["flow", "id"]],
  ["mlModel", ["platform", "id", "fabric"]],
  ["mlModelGroup", ["platform", "id", "fabric"]],
  ["mlFeatureTable", ["platform", "id"]],
]);

/** The parts of the key of URNs of an entity type; none where its key is an id. */
export function partsOfType(entityType: string): readonly UrnPart[] {
  return partsByType.get(entityType) ?? [];
}

/** What the URN of an asset is made of. `platform` is the id of one, `flow` the name of a data flow. */
export interface AssetParts {
  readonly platform: string;
  readonly name: string;
  readonly fabric?: string;
  readonly flow?: string;
  readonly cluster?: string;
}

const platformPrefix = "urn:li:dataPlatform:";

/** The parts of an asset's URN, as they stand there. */
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
 * The URN of an asset from its parts. Brackets and commas in names are percent-encoded as DataHub's own SDK does it
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

/** The URN of the entity that DataHub keeps for a column of a dataset. It may be longer than others (UrnValidationUtil.java). */
export function schemaFieldUrn(parent: Urn, fieldPath: string): Urn {
  return `urn:li:schemaField:(${parent},${encodePart(fieldPath)})` as Urn;
}

const encodedReserved: Readonly<Record<string, string>> = {
  "(": "%28",
  ")": "%29",
  ",": "%2C",
  "\u241F": "%E2%90%9F",
};

/** Percent-encodes the characters that a part of a URN cannot have. */
export function encodePart(text: string): string {
  return text.replace(/[(),\u241F]/g, (character) => encodedReserved[character] ?? character);
}

/** The key of a URN as a manifest writes it: without what `encodePart` does. */
export function plainKeyOf(urn: Urn): string {
  return plainPart(keyOf(urn));
}

/** A part of a URN without what `encodePart` does. */
export function plainPart(part: string): string {
  return part.replace(/%28|%29|%2C|%E2%90%9F/g, (encoded) => decodeURIComponent(encoded));
}

function partsFault(entityType: string, parts: readonly UrnPart[], key: string): UrnFault | undefined {
  const values = key.startsWith("(") && key.endsWith(")") ? splitTuple(key) : [];
  const malformed = (): UrnFault => ({ reason: "asset-parts", detail: formOf(entityType) });
  if (values.length !== parts.length) return malformed();
  for (const [index, part] of parts.entries()) {
    const value = values[index] ?? "";
    if (part === "platform" && !/^urn:li:dataPlatform:[^:(),\s]+$/.test(value))
      return { reason: "platform", detail: value };
    if (part === "fabric" && !fabrics.some((known) => known === value))
      return { reason: "fabric", detail: value };
    const isMalformed = part === "flow" ? !isUrnOf("dataFlow", value) : value === "" || value.includes(",");
    if (isMalformed) return malformed();
  }
  return undefined;
}

function isUrnOf(entityType: string, text: string): boolean {
  const result = parseUrn(text);
  return "urn" in result && entityTypeOf(result.urn) === entityType;
}

const forms: Readonly<Record<UrnPart, string>> = {
  platform: "urn:li:dataPlatform:<platform>",
  tool: "<platform>",
  flow: "urn:li:dataFlow:(<platform>,<flow>,<cluster>)",
  id: "<name>",
  fabric: "<ENV>",
  cluster: "<cluster>",
};

/** The form of a URN of an entity type, as messages show it. */
function formOf(entityType: string): string {
  return `urn:li:${entityType}:(${partsOfType(entityType)
    .map((part) => forms[part])
    .join(",")})`;
}

// A part may be a URN that has commas in brackets of its own.
function splitTuple(key: string): string[] {
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

function hasBalancedBrackets(key: string): boolean {
  let depth = 0;
  for (const character of key) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function mayBeTooLong(text: string): boolean {
  return text.length * 3 > maxUrnBytes || /[^ -~]/.test(text);
}

// java.net.URLEncoder, which the server measures with, leaves these characters alone; each other byte takes three.
function encodedLength(text: string): number {
  let length = 0;
  for (const byte of new TextEncoder().encode(text)) {
    length += /[A-Za-z0-9.*_\- ]/.test(String.fromCharCode(byte)) ? 1 : 3;
  }
  return length;
}
