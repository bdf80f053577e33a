import type { JsonObject } from "../../../model/json.ts";
import { objectsAt } from "../../json.ts";

/**
 * An `editableSchemaMetadata` aspect with the entry of one column changed. A column without an entry gets one, even if the
 * change adds nothing (MutationUtils.getFieldInfoFromSchema).
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
