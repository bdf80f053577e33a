import { writeFileSync } from "node:fs";
import type { JsonObject } from "../../src/model/json.ts";

/** An asset that a local catalog hides from its token, as a server does with view authorization. */
export const hidden = "urn:li:dataset:(urn:li:dataPlatform:file,acceptance-hidden,PROD)";

/** What it has, which the token may not see. */
const aspects: Readonly<Record<string, JsonObject>> = {
  status: { removed: false },
  ownership: { owners: [{ owner: "urn:li:corpuser:datahub", type: "DATAOWNER" }] },
  editableDatasetProperties: { description: "Text of others" },
};

/** Writes a metadata file with that asset. */
export function writeHidden(file: string): void {
  const records = Object.entries(aspects).map(([aspectName, json]) => ({
    entityType: "dataset",
    entityUrn: hidden,
    changeType: "UPSERT",
    aspectName,
    aspect: { json },
  }));
  writeFileSync(file, JSON.stringify(records));
}
