/** Parses metadata change proposals, and validates their types, headers and aspects. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { isDropped, requireAspect, parseEntityUrn } from "../registry/entity-urn.ts";
import { objectAt, parseJson, requiredString, stringAt } from "../json.ts";
import { invalid, malformed } from "../errors.ts";
import { type EntityType, urnOfKey } from "../registry/entity-types.ts";
import { isTimeseries } from "../registry/registry-data.ts";
import { normalizeAspect } from "./normalize.ts";

const changeTypes = ["UPSERT", "UPDATE", "CREATE", "CREATE_ENTITY", "PATCH", "DELETE", "RESTATE"] as const;

/** The change that a proposal makes to an aspect (events/metadata/ChangeType.pdl). */
export type ChangeType = (typeof changeTypes)[number];

/** A metadata change proposal that is valid according to the registry. */
export interface Proposal {
  readonly urn: string;
  readonly aspect: string;
  readonly changeType: ChangeType;
  /** The aspect's new value, or the patch if the change type is PATCH. */
  readonly value: JsonObject;
  /**
   * The doubles in `value` that the client wrote without a decimal point. With ALTERNATE_MCP_VALIDATION, DataHub validates a
   * value before it converts these numbers to doubles, so they do not match any allowed value. For a patch, DataHub validates the
   * result (ProposedItem.java).
   */
  readonly integersAsDoubles?: ReadonlySet<number>;
  /** Preconditions and other headers, keyed by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly systemMetadata: JsonObject | undefined;
}

/**
 * Parses a proposal as Rest.li clients send it (mxe/MetadataChangeProposal.pdl). Returns undefined if DataHub would report
 * success without doing anything: DataHub does not delete aspects through proposals, and it drops proposals for invalid URNs
 * (AspectsBatchImpl.java).
 * @throws RequestError when the proposal is invalid for any other reason.
 */
export function parseProposal(sent: Json | undefined): Proposal | undefined {
  if (!isJsonObject(sent)) throw malformed("A proposal must be an object");
  const changeType = changeTypeOf(requiredString(sent, "changeType", " in a proposal"));
  const urn = stringAt(sent, "entityUrn") ?? urnOfSentKey(sent);
  if (isDropped(urn)) return undefined;
  const { type } = parseEntityUrn(urn);
  checkEntityType(requiredString(sent, "entityType", " in a proposal"), urn, type);
  const aspect = requiredString(sent, "aspectName", " in a proposal");
  if (changeType === "DELETE") return undefined;
  const content = objectAt(sent, "aspect");
  return validateProposal({
    urn,
    aspect,
    changeType,
    value: aspectValue(content, changeType),
    ...(aspect === "structuredProperties" &&
      changeType !== "PATCH" && { integersAsDoubles: integersAsDoublesIn(stringAt(content, "value") ?? "") }),
    headers: headersOf(sent["headers"]),
    systemMetadata: objectAt(sent, "systemMetadata"),
  });
}

/**
 * Returns the proposal unchanged if its entity type has the aspect.
 * @throws RequestError when the type does not have the aspect, or when the proposal patches a timeseries aspect.
 */
export function validateProposal(proposal: Proposal): Proposal {
  const aspect = requireAspect(parseEntityUrn(proposal.urn).type, proposal.aspect);
  if (isTimeseries(aspect) && proposal.changeType === "PATCH")
    throw malformed(`Cannot patch the timeseries aspect ${aspect}`);
  return proposal;
}

/**
 * Returns a proposal's headers, keyed by lowercase name.
 * @throws RequestError when a header is not a string.
 */
export function headersOf(sent: Json | undefined): Readonly<Record<string, string>> {
  if (sent === undefined || sent === null) return {};
  if (!isJsonObject(sent)) throw malformed("The headers of a proposal must be an object");
  return Object.fromEntries(
    Object.entries(sent).map(([name, text]) => {
      if (typeof text !== "string") throw malformed(`The header ${name} of a proposal must be a string`);
      return [name.toLowerCase(), text];
    }),
  );
}

/**
 * Builds the URN for a proposal that identifies its entity by the key aspect (entity-registry EntityKeyUtils.getUrnFromProposal).
 * @throws RequestError when there is no key aspect.
 */
function urnOfSentKey(sent: JsonObject): string {
  const text = stringAt(objectAt(sent, "entityKeyAspect"), "value");
  if (text === null) throw malformed('"entityUrn" in a proposal is missing or not a string');
  const key = parseJson(textOfBytes(text), '"entityKeyAspect" in a proposal');
  if (!isJsonObject(key)) throw malformed('"entityKeyAspect" in a proposal must contain an object');
  return urnOfKey(requiredString(sent, "entityType", " in a proposal"), key);
}

/**
 * Checks that a proposal's entity type matches its URN, ignoring case.
 * @throws RequestError when it does not.
 */
export function checkEntityType(entityType: string, urn: string, { name }: EntityType): void {
  if (entityType.toLowerCase() !== name.toLowerCase())
    throw invalid(`The entity type ${entityType} does not match ${urn}`);
}

/**
 * Returns the change type with the given name.
 * @throws RequestError when there is no such type.
 */
export function changeTypeOf(text: string): ChangeType {
  const known = changeTypes.find((name) => name === text);
  if (!known) throw malformed(`The change type ${text} is not one of ${changeTypes.join(", ")}`);
  return known;
}

const contentTypes: ReadonlySet<string> = new Set(["application/json", "application/json-patch+json"]);

/**
 * Checks that a content type is JSON.
 * @throws RequestError when it is not.
 */
export function checkContentType(contentType: string): void {
  if (!contentTypes.has(contentType)) throw malformed(`The content type ${contentType} is not supported`);
}

function aspectValue(aspect: JsonObject | undefined, changeType: ChangeType): JsonObject {
  const text = stringAt(aspect, "value");
  const contentType = stringAt(aspect, "contentType");
  if (text === null || contentType === null)
    throw malformed('"aspect" in a proposal must have "value" and "contentType"');
  checkContentType(contentType);
  const value = parseJson(textOfBytes(text), '"value" in a proposal');
  if (changeType === "PATCH" && isJsonList(value)) return { patch: value };
  if (!isJsonObject(value)) throw malformed('"value" in a proposal must contain an object');
  if (changeType === "PATCH") return value;
  refuseNulls(value, "");
  return normalizeAspect(value);
}

function integersAsDoublesIn(text: string): ReadonlySet<number> {
  return new Set(
    [...text.matchAll(/"double"\s*:\s*(-?\d+)(?![\d.eE])/g)].map(([, digits]) => Number(digits)),
  );
}

/**
 * Decodes the text in a bytes field as Rest.li does. Each character represents one byte (Data.stringToBytes), and invalid UTF-8
 * becomes U+FFFD.
 * @throws RequestError when a character does not fit into one byte.
 */
function textOfBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex -- all characters that fit into a byte
  if (/[^\u0000-\u00FF]/.test(text))
    throw malformed(
      `Parameters of method 'ingestProposal' failed validation with error 'ERROR :: /proposal/aspect/value :: ` +
        `"${text}" is not a valid string representation of bytes\n'`,
    );
  return Buffer.from(text, "latin1").toString();
}

// As in RecordTemplateValidator.java, an optional field can be missing but not null.
function refuseNulls(value: Json, path: string): void {
  if (value === null) throw invalid(`ERROR :: ${path} :: null is not allowed: omit optional fields instead`);
  if (typeof value !== "object") return;
  for (const [key, part] of Object.entries(value))
    if (part !== undefined) refuseNulls(part, `${path}/${key}`);
}
