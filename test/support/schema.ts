import type { JsonObject } from "../../src/model/json.ts";

const stamp = { time: 0, actor: "urn:li:corpuser:datahub" };

/** The schema of a dataset with these columns. */
export function schemaWith(...columns: readonly string[]): JsonObject {
  return {
    schemaName: "x",
    platform: "urn:li:dataPlatform:snowflake",
    version: 0,
    hash: "",
    created: stamp,
    lastModified: stamp,
    platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
    fields: columns.map((fieldPath) => ({
      fieldPath,
      nullable: true,
      nativeDataType: "x",
      type: { type: { "com.linkedin.schema.StringType": {} } },
      recursive: false,
    })),
  };
}
