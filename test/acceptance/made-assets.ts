import { containerKind, kindOf } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { schemaWith } from "../support/schema.ts";
import type { Trying } from "./trial.ts";

/** Makes an asset, as ingestion does, with columns where its kind has some, and answers its URN. */
export async function makeAsset(
  { stored, urnOf, id }: Trying,
  kind: Kind,
  name: string,
  columns: readonly string[] = ["email", "name"],
): Promise<string> {
  const urn = urnOf(kind, name);
  if (kind.matching?.hasColumns === true) {
    await stored.propose(urn, "schemaMetadata", schemaWith(...columns));
  }
  if (kind === containerKind) {
    await stored.propose(urn, "containerProperties", { name: id(name) });
    await stored.propose(urn, "dataPlatformInstance", { platform: "urn:li:dataPlatform:file" });
  }
  await stored.propose(urn, "status", { removed: false });
  return urn;
}

/** Makes a dataset with columns, and answers its URN. */
export async function makeDataset(trying: Trying, name: string): Promise<string> {
  return await makeAsset(trying, kindOf("Dataset"), name);
}

/** The fields by which a manifest names a dataset. */
export function named({ id }: Trying, name: string): JsonObject {
  return { kind: "Dataset", platform: "file", name: id(name) };
}
