import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";

/** A reader of a local catalog, and which entities were asked for by which query. */
export interface Asking {
  readonly reader: Reader;
  readonly asked: (readonly [query: string, ...urns: readonly string[]])[];
}

/** Starts a catalog of these aspects. By query, some entities are answered with an error in their place. */
export async function askingCatalog(
  world: readonly MadeAspect[],
  failing: Readonly<Record<string, readonly Urn[]>> = {},
  options: Parameters<typeof startTestCatalog>[0] = {},
): Promise<Asking> {
  const catalog = await startTestCatalog(options);
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const reader = createReader(connectionTo(catalog.url));
  const asked: Asking["asked"] = [];
  const query: Reader["query"] = async (document, variables, signal) => {
    const name = /^query (\w+)/.exec(document)?.[1] ?? "";
    const urns = (variables["urns"] ?? []) as readonly Urn[];
    asked.push([name, ...urns]);
    const answer = await reader.query(document, variables, signal);
    const failed = (failing[name] ?? []).filter((of) => urns.includes(of)).map((of) => urns.indexOf(of));
    if (failed.length === 0) return answer;
    const entities = answer.data?.["entities"] as readonly JsonObject[];
    const left = entities.map((entity, index) => (failed.includes(index) ? null : entity));
    const errors = failed.map((index) => ({ message: "no", path: ["entities", index] }));
    return { data: { ...answer.data, entities: left }, errors: [...answer.errors, ...errors] };
  };
  return { reader: { ...reader, query }, asked };
}
