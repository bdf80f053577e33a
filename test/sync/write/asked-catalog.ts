import { createWriter, type Writer } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { EntityChange } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { deletionFields } from "../../../src/plan/align/deletion.ts";
import { deletableIn, readReferring } from "../../../src/sync/read/outgoing-references.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";
import { datasetNamed } from "../../support/states.ts";

export const tagged = (dataset: string, ...tags: readonly Urn[]): MadeAspect => [
  datasetNamed(dataset),
  "globalTags",
  { tags: tags.map((tag) => ({ tag })) },
];

/** Called before a query is sent, with its name and the entities that it is about; what it throws is the answer. */
export type BeforeQuery = (name: string, urns: readonly string[]) => unknown;

/** A local catalog, and a client of it of which each query is known. */
export interface AskedCatalog {
  readonly writer: Writer;
  readonly asked: (readonly [query: string, ...urns: readonly string[]])[];
  /** How many queries were sent without this signal. */
  readonly unsignalled: (signal: AbortSignal) => number;
  readonly load: (...aspects: readonly MadeAspect[]) => Promise<unknown>;
  /** What a plan has for the deletion of a tag as it is now. */
  readonly deletionOf: (tag: Urn, more?: Partial<EntityChange>) => Promise<EntityChange>;
}

export async function catalogOf(
  world: readonly MadeAspect[],
  beforeQuery: BeforeQuery = () => undefined,
): Promise<AskedCatalog> {
  const catalog = await startTestCatalog();
  // What waits for the index searches sixty times, and nothing but what is loaded here changes what it finds.
  const searched = new Map<string, ReturnType<Writer["query"]>>();
  const load: AskedCatalog["load"] = async (...aspects) => {
    searched.clear();
    return await catalog.load(metadataFile(temporaryDirectory(), aspects));
  };
  await load(...world);
  const writer = createWriter(connectionTo(catalog.url, { retryDelay: 1 }));
  const asked: AskedCatalog["asked"] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const query: Writer["query"] = async (document, variables, signal) => {
    const name = /^query (\w+)/.exec(document)?.[1] ?? "";
    const urns = (variables["urns"] ?? []) as readonly string[];
    asked.push([name, ...urns]);
    await beforeQuery(name, urns);
    signals.push(signal);
    if (!name.startsWith("Search")) return await writer.query(document, variables, signal);
    const search = document + JSON.stringify(variables);
    const answer = searched.get(search) ?? writer.query(document, variables, signal);
    searched.set(search, answer);
    return await answer;
  };
  return {
    writer: { ...writer, query },
    asked,
    unsignalled: (signal) => signals.filter((each) => each !== signal).length,
    load,
    deletionOf: async (tag, more) => {
      const answer = (await readReferring(writer, [{ urn: tag, kind: "Tag" }])).get(tag);
      const found = typeof answer === "object" ? deletableIn(answer, "Tag") : answer;
      if (typeof found !== "object") throw new Error(found);
      const about = { action: "delete", shape: "entity", kind: "Tag", urn: tag, fingerprint: "" } as const;
      return { ...about, ...deletionFields(found, "Tag"), ...more };
    },
  };
}

/** An operation that deletes entities. */
export function deleting(changes: readonly EntityChange[], more: Partial<Operation> = {}): Operation {
  const [{ urn } = { urn: "" }] = changes;
  const request = { type: "mutation", field: "deleteTag", args: [] } as const;
  return { id: `delete ${urn}`, request, locks: [urn], after: [], changes, ...more };
}
