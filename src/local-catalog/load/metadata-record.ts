import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { isJsonList, objectAt, requiredString, stringAt } from "../json.ts";
import { malformed } from "../errors.ts";
import { aspectOfClass, isTimeseries } from "../registry/registry-data.ts";
import { entityTypeOfUrn } from "../registry/entity-types.ts";
import { isValidUrn } from "../registry/entity-urn.ts";
import { normalizeAspect, wireClassName } from "../proposals/normalize.ts";
import { withoutAvroUnions } from "./avro-unions.ts";

/** One aspect of a metadata file. */
export interface ProposedAspect {
  readonly urn: string;
  readonly aspect: string;
  readonly value: JsonObject;
  readonly systemMetadata: JsonObject | undefined;
}

/**
 * The aspects of one record of a metadata file, as they are stored. A record is a snapshot with any number of aspects
 * ("MCE") or a proposal with one ("MCP").
 * @throws RequestError when the record is not valid.
 */
export function aspectsOfRecord(record: Json): readonly ProposedAspect[] {
  if (!isJsonObject(record)) throw malformed("it is not an object");
  const given = objectAt(record, "systemMetadata");
  const systemMetadata = given && withoutAvroUnions("systemMetadata", given);
  const snapshots = objectAt(record, "proposedSnapshot");
  const parts = snapshots ? aspectsOfSnapshot(snapshots) : [aspectOfProposal(record)];
  return parts.map((part) => {
    checkAspect(part);
    return { ...part, value: normalizeAspect(withoutAvroUnions(part.aspect, part.value)), systemMetadata };
  });
}

type AspectPart = Omit<ProposedAspect, "systemMetadata">;

function aspectsOfSnapshot(snapshots: JsonObject): AspectPart[] {
  const [snapshot] = Object.values(snapshots);
  const aspects = isJsonObject(snapshot) ? snapshot["aspects"] : undefined;
  if (!isJsonObject(snapshot) || !isJsonList(aspects))
    throw malformed('"proposedSnapshot" does not contain a list "aspects"');
  const urn = requiredString(snapshot, "urn");
  return aspects.map((entry) => {
    const [[className, value] = []] = isJsonObject(entry) ? Object.entries(entry) : [];
    if (className === undefined || !isJsonObject(value))
      throw malformed("an aspect of the snapshot is not an object under its class name");
    const aspect = aspectOfClass(wireClassName(className));
    if (aspect === undefined)
      throw malformed(`the class ${className} is not an aspect in DataHub's registry`);
    return { urn, aspect, value };
  });
}

function aspectOfProposal(record: JsonObject): AspectPart {
  if (!("entityUrn" in record))
    throw malformed('it is neither a snapshot ("proposedSnapshot") nor a proposal ("entityUrn")');
  const changeType = stringAt(record, "changeType") ?? "UPSERT";
  if (changeType !== "UPSERT" && changeType !== "RESTATE")
    throw malformed(`the change type ${changeType} is not supported in a file, only UPSERT`);
  const aspect = requiredString(record, "aspectName");
  return {
    urn: requiredString(record, "entityUrn"),
    aspect,
    value: proposedValue(objectAt(record, "aspect")),
  };
}

function proposedValue(aspect: JsonObject | undefined): JsonObject {
  const text = stringAt(aspect, "value");
  const value: unknown = text === null ? aspect?.["json"] : JSON.parse(text);
  if (!isJsonObject(value))
    throw malformed('"aspect" contains no object, neither in "json" nor as a JSON string in "value"');
  return value;
}

function checkAspect({ urn, aspect }: AspectPart): void {
  if (!isValidUrn(urn)) throw malformed(`${urn} is not a URN`);
  const type = entityTypeOfUrn(urn);
  if (!type) throw malformed(`the entity type of ${urn} is not in DataHub's registry`);
  if (!type.aspects.has(aspect) && !isTimeseries(aspect))
    throw malformed(`${aspect} is not an aspect of ${type.name} in DataHub's registry`);
}
