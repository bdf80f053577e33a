import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { requireAspect, parseEntityUrn } from "../registry/entity-urn.ts";
import { objectAt, stringAt, parseJson } from "../json.ts";
import { malformed } from "../errors.ts";
import { isTimeseries } from "../registry/aspects.ts";
import { normalizeAspect } from "./normalize.ts";

const changeTypes = ["UPSERT", "CREATE", "CREATE_ENTITY", "PATCH", "DELETE", "RESTATE"] as const;

/** What a proposal does to its aspect (events/metadata/ChangeType.pdl). */
export type ChangeType = (typeof changeTypes)[number];

/** One metadata change proposal, checked against the registry. */
export interface Proposal {
  readonly urn: string;
  readonly aspect: string;
  readonly changeType: ChangeType;
  /** The aspect's new value, or the patch to it; an empty object for DELETE. */
  readonly value: JsonObject;
  /** Conditions and the like, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly systemMetadata: JsonObject | undefined;
}

/**
 * Reads a proposal as Rest.li clients send it (mxe/MetadataChangeProposal.pdl).
 * @throws RequestError saying what is wrong with it.
 */
export function parseProposal(sent: Json | undefined): Proposal {
  if (!isJsonObject(sent)) throw malformed("A proposal is not an object");
  const changeType = changeTypeOf(requiredString(sent, "changeType"));
  const urn = requiredString(sent, "entityUrn");
  const { type } = parseEntityUrn(urn);
  const entityType = requiredString(sent, "entityType");
  if (entityType.toLowerCase() !== type.name.toLowerCase())
    throw malformed(`The entity type ${entityType} is not that of ${urn}`);
  return validateProposal({
    urn,
    aspect: requiredString(sent, "aspectName"),
    changeType,
    value: changeType === "DELETE" ? {} : aspectValue(objectAt(sent, "aspect"), changeType),
    headers: headersOf(sent["headers"]),
    systemMetadata: objectAt(sent, "systemMetadata"),
  });
}

/**
 * A proposal whose aspect is one of its entity's type.
 * @throws RequestError when it is not.
 */
export function validateProposal(proposal: Proposal): Proposal {
  const aspect = requireAspect(parseEntityUrn(proposal.urn).type, proposal.aspect);
  if (isTimeseries(aspect) && proposal.changeType === "PATCH")
    throw malformed(`Cannot patch the timeseries aspect ${aspect}`);
  return proposal;
}

/**
 * The headers of a proposal by their names in lower case.
 * @throws RequestError when they are no texts.
 */
export function headersOf(sent: Json | undefined): Readonly<Record<string, string>> {
  if (sent === undefined || sent === null) return {};
  if (!isJsonObject(sent)) throw malformed("The headers of a proposal are not an object");
  return Object.fromEntries(
    Object.entries(sent).map(([name, text]) => {
      if (typeof text !== "string") throw malformed(`The header ${name} of a proposal is no text`);
      return [name.toLowerCase(), text];
    }),
  );
}

function changeTypeOf(text: string): ChangeType {
  const known = changeTypes.find((name) => name === text);
  if (!known) throw malformed(`The change type ${text} is not one of ${changeTypes.join(", ")}`);
  return known;
}

const contentTypes: ReadonlySet<string> = new Set(["application/json", "application/json-patch+json"]);

function aspectValue(aspect: JsonObject | undefined, changeType: ChangeType): JsonObject {
  const text = stringAt(aspect, "value");
  const contentType = stringAt(aspect, "contentType");
  if (text === null || contentType === null)
    throw malformed('"aspect" of a proposal lacks "value" or "contentType"');
  if (!contentTypes.has(contentType)) throw malformed(`${contentType} is not supported as content type`);
  const value = parseJson(text, '"value" of a proposal');
  if (changeType === "PATCH" && Array.isArray(value)) return { patch: value as readonly Json[] };
  if (!isJsonObject(value)) throw malformed('"value" of a proposal holds no object');
  return changeType === "PATCH" ? value : normalizeAspect(value);
}

function requiredString(record: JsonObject, key: string): string {
  const text = stringAt(record, key);
  if (text === null) throw malformed(`"${key}" of a proposal is missing or no text`);
  return text;
}
