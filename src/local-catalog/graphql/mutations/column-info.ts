import type { JsonObject } from "../../../model/json.ts";
import { objectsAt } from "../../json.ts";

/**
 * An `editableSchemaMetadata` with what people have put on one column changed. A column without an entry gets
 * one, also when nothing is added to it (MutationUtils.getFieldInfoFromSchema).
 */
export function withColumnInfo(
  schema: JsonObject,
  column: string,
  change: (info: JsonObject) => JsonObject,
): JsonObject {
  const infos = objectsAt(schema, "editableSchemaFieldInfo");
  const known = infos.findIndex((info) => info["fieldPath"] === column);
  const changed = change(infos[known] ?? { fieldPath: column });
  return { ...schema, editableSchemaFieldInfo: known < 0 ? [...infos, changed] : infos.with(known, changed) };
}
