import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { parseUrn } from "../../model/urn.ts";
import { objectAt, stringAt } from "../json.ts";
import { aspectOfClass, isTimeseries } from "../registry/aspects.ts";
import { entityTypeOfUrn } from "../registry/entity-types.ts";
import { normalizeAspect, wireClassName } from "../proposals/normalize.ts";

/** One aspect as a metadata file gives it. */
export interface ProposedAspect {
  readonly urn: string;
  readonly aspect: string;
  readonly value: JsonObject;
  readonly systemMetadata: JsonObject | undefined;
}

/**
 * The aspects of one record of a metadata file: a snapshot with any number of them ("MCE"), or a proposal with
 * one ("MCP"), in the form that is stored.
 * @throws Error saying what is wrong with the record.
 */
export function aspectsOfRecord(record: Json): readonly ProposedAspect[] {
  if (!isJsonObject(record)) throw new Error("it is not an object");
  const systemMetadata = objectAt(record, "systemMetadata");
  const snapshots = objectAt(record, "proposedSnapshot");
  const parts = snapshots ? aspectsOfSnapshot(snapshots) : [aspectOfProposal(record)];
  return parts.map((part) => {
    checkAspect(part);
    return { ...part, value: normalizeAspect(part.value), systemMetadata };
  });
}

type AspectPart = Omit<ProposedAspect, "systemMetadata">;

function aspectsOfSnapshot(snapshots: JsonObject): AspectPart[] {
  const [snapshot] = Object.values(snapshots);
  const aspects = isJsonObject(snapshot) ? snapshot["aspects"] : undefined;
  if (!isJsonObject(snapshot) || !Array.isArray(aspects))
    throw new Error('"proposedSnapshot" holds no list "aspects"');
  const urn = requiredString(snapshot, "urn");
  return (aspects as readonly Json[]).map((entry) => {
    const [[className, value] = []] = isJsonObject(entry) ? Object.entries(entry) : [];
    if (className === undefined || !isJsonObject(value))
      throw new Error("an aspect of the snapshot is not an object under its class name");
    const plainClass = wireClassName(className);
    // The key stands in the URN; files hold it for some types only.
    const aspect = aspectOfClass(plainClass);
    if (aspect === undefined) throw new Error(`the class ${className} is no aspect of DataHub's registry`);
    return { urn, aspect, value };
  });
}

function aspectOfProposal(record: JsonObject): AspectPart {
  if (!("entityUrn" in record))
    throw new Error('it has neither "proposedSnapshot" nor "entityUrn": neither a snapshot nor a proposal');
  const changeType = stringAt(record, "changeType") ?? "UPSERT";
  if (changeType !== "UPSERT" && changeType !== "RESTATE")
    throw new Error(`the change type ${changeType} cannot be loaded, only UPSERT`);
  const aspect = requiredString(record, "aspectName");
  return {
    urn: requiredString(record, "entityUrn"),
    aspect,
    value: proposedValue(objectAt(record, "aspect")),
  };
}

function proposedValue(aspect: JsonObject | undefined): JsonObject {
  const text = stringAt(aspect, "value");
  const value = text === null ? aspect?.["json"] : (JSON.parse(text) as Json);
  if (!isJsonObject(value))
    throw new Error('"aspect" holds an object neither in "json" nor as text in "value"');
  return value;
}

function checkAspect({ urn, aspect }: AspectPart): void {
  if ("fault" in parseUrn(urn)) throw new Error(`${urn} is not a URN`);
  const type = entityTypeOfUrn(urn);
  if (!type) throw new Error(`the entity type of ${urn} is not in DataHub's registry`);
  if (!type.aspects.has(aspect) && !isTimeseries(aspect))
    throw new Error(`${aspect} is no aspect of ${type.name} in DataHub's registry`);
}

function requiredString(record: JsonObject, key: string): string {
  const text = stringAt(record, key);
  if (text === null) throw new Error(`"${key}" is missing or no text`);
  return text;
}
