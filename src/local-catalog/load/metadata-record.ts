/** Reads records from DataHub metadata files, and optionally rejects unknown aspects. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { objectAt, requiredString, stringAt } from "../json.ts";
import { malformed } from "../errors.ts";
import { aspectOfClass, isTimeseries } from "../registry/registry-data.ts";
import { type EntityType, entityTypeOfUrn, urnOfKey } from "../registry/entity-types.ts";
import { isValidUrn } from "../registry/entity-urn.ts";
import { type ChangeType, changeTypeOf, checkContentType, checkEntityType } from "../proposals/proposal.ts";
import { normalizeAspect, protocolClassName } from "../proposals/normalize.ts";
import { withoutAvroUnions } from "./avro-unions.ts";
import { parsePythonJson } from "./read-records.ts";

/** One aspect from a metadata file. */
export interface ProposedAspect {
  readonly urn: string;
  readonly aspect: string;
  readonly changeType: ChangeType;
  /** The aspect's new value, or the patch if the change type is PATCH. */
  readonly value: JsonObject;
  readonly systemMetadata: JsonObject | undefined;
}

/** The aspects that a record contains, possibly none. */
interface MetadataRecord {
  readonly aspects: readonly ProposedAspect[];
  /** Aspects that the registry does not contain for the entity type. */
  readonly unknown: readonly UnknownAspect[];
}

/** An aspect name or class that the registry does not contain for an entity type. */
interface UnknownAspect {
  readonly aspect: string;
  readonly type: string;
}

/**
 * Reads one record as DataHub's file source does (metadata-ingestion file.py): a snapshot with any number of aspects ("MCE"), a
 * proposal with one aspect ("MCP"), or a usage record, which DataHub drops. A proposal to delete an aspect has no effect in
 * DataHub.
 * @throws RequestError when DataHub would reject the record.
 */
export function readRecord(record: Json): MetadataRecord {
  if (!isJsonObject(record)) throw malformed("it is not an object");
  const given = objectAt(record, "systemMetadata");
  const systemMetadata = given && withoutAvroUnions("systemMetadata", given);
  const aspects: ProposedAspect[] = [];
  const unknown: UnknownAspect[] = [];
  for (const part of partsOf(record)) {
    const type = typeOf(part.urn);
    if (!type.aspects.has(part.aspect)) unknown.push({ aspect: part.aspect, type: type.name });
    else if (part.changeType !== "DELETE") aspects.push({ ...part, value: storedForm(part), systemMetadata });
  }
  return { aspects, unknown };
}

/**
 * Returns the record unchanged if it has no unknown aspects.
 * @throws RequestError when the record has an unknown aspect. The message includes the first one.
 */
export function withoutUnknown(content: MetadataRecord): MetadataRecord {
  const [first] = content.unknown;
  if (first) throw malformed(`${first.aspect} is not an aspect of ${first.type} in DataHub's registry`);
  return content;
}

interface AspectPart {
  readonly urn: string;
  readonly aspect: string;
  readonly changeType: ChangeType;
  readonly content: Json | undefined;
}

function partsOf(record: JsonObject): readonly AspectPart[] {
  const snapshots = objectAt(record, "proposedSnapshot");
  if (snapshots) return aspectsOfSnapshot(snapshots);
  if ("aspect" in record) return [aspectOfProposal(record)];
  if ("bucket" in record) return [];
  throw malformed(
    'it is not a snapshot ("proposedSnapshot"), a proposal ("aspect") or a usage record ("bucket")',
  );
}

function aspectsOfSnapshot(snapshots: JsonObject): AspectPart[] {
  const [snapshot] = Object.values(snapshots);
  const aspects = isJsonObject(snapshot) ? snapshot["aspects"] : undefined;
  if (!isJsonObject(snapshot) || !isJsonList(aspects))
    throw malformed('"proposedSnapshot" does not contain an "aspects" list');
  const urn = requiredString(snapshot, "urn");
  return aspects.map((entry) => {
    const [[className, content] = []] = isJsonObject(entry) ? Object.entries(entry) : [];
    if (className === undefined || !isJsonObject(content))
      throw malformed("an aspect in the snapshot is not an object keyed by its class name");
    const aspect = aspectOfClass(protocolClassName(className)) ?? className;
    return { urn, aspect, changeType: "UPSERT", content };
  });
}

function aspectOfProposal(record: JsonObject): AspectPart {
  const changeType = changeTypeOf(requiredString(record, "changeType"));
  const urn = urnIn(record);
  const type = typeOf(urn);
  checkEntityType(requiredString(record, "entityType"), urn, type);
  const aspect = requiredString(record, "aspectName");
  return { urn, aspect, changeType, content: contentOf(objectAt(record, "aspect")) };
}

function urnIn(record: JsonObject): string {
  const urn = stringAt(record, "entityUrn");
  if (urn !== null) return urn;
  const key = contentOf(objectAt(record, "entityKeyAspect"));
  if (!isJsonObject(key)) throw malformed('it has neither "entityUrn" nor "entityKeyAspect"');
  return urnOfKey(requiredString(record, "entityType"), key);
}

function contentOf(aspect: JsonObject | undefined): Json | undefined {
  const json = aspect?.["json"];
  const text = stringAt(aspect, "value");
  if (json !== undefined || text === null) return json;
  checkContentType(requiredString(aspect ?? {}, "contentType"));
  return parsePythonJson(text);
}

function typeOf(urn: string): EntityType {
  if (!isValidUrn(urn)) throw malformed(`${urn} is not a URN`);
  const type = entityTypeOfUrn(urn);
  if (!type) throw malformed(`the entity type of ${urn} is not in DataHub's registry`);
  return type;
}

function storedForm({ aspect, changeType, content }: AspectPart): JsonObject {
  if (changeType === "PATCH" && isTimeseries(aspect))
    throw malformed(`Cannot patch the timeseries aspect ${aspect}`);
  if (changeType === "PATCH" && isJsonList(content)) return { patch: content };
  if (!isJsonObject(content))
    throw malformed('"aspect" must contain an object in "json", or an object as a JSON string in "value"');
  return changeType === "PATCH" ? content : normalizeAspect(withoutAvroUnions(aspect, content));
}
