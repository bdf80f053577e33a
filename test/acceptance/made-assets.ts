import type { JsonObject } from "../../src/model/json.ts";
import { schemaWith } from "../support/schema.ts";
import type { Trying } from "./trial.ts";

/** Makes a dataset with columns, as ingestion does, and answers its URN. */
export async function makeDataset(
  { stored, datasetUrn }: Trying,
  name: string,
  columns: readonly string[] = ["email", "name"],
): Promise<string> {
  const urn = datasetUrn(name);
  await stored.propose(urn, "schemaMetadata", schemaWith(...columns));
  await stored.propose(urn, "status", { removed: false });
  return urn;
}

/** Makes a container, as ingestion does, and answers its URN. */
export async function makeContainer({ stored, urn: urnOf, id }: Trying, name: string): Promise<string> {
  const urn = urnOf("container", name);
  await stored.propose(urn, "containerProperties", { name: id(name) });
  await stored.propose(urn, "dataPlatformInstance", { platform: "urn:li:dataPlatform:file" });
  await stored.propose(urn, "status", { removed: false });
  return urn;
}

/** The fields by which a manifest names a dataset. */
export function named({ id }: Trying, name: string): JsonObject {
  return { kind: "Dataset", platform: "file", name: id(name) };
}
