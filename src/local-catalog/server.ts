import { randomUUID } from "node:crypto";
import { loadOrCreateToken } from "./http/access-token.ts";
import { openAspectStore, type AspectStore } from "./store/aspect-store.ts";
import { openDataDirectory, unusable, type DataDirectory } from "./store/data-directory.ts";
import { seedCatalog } from "./store/seed.ts";
import { graphqlEndpoint } from "./graphql/endpoint.ts";
import { listen } from "./http/listen.ts";
import { loadMetadataFile, type LoadSummary } from "./load/load-file.ts";
import { LocalCatalogError } from "./errors.ts";
import { requestRouter } from "./http/router.ts";

export { dumpAspects, type AspectRow } from "./store/aspect-dump.ts";
export { LocalCatalogError, type LoadSummary };

/** How to start a local catalog. */
export interface CatalogOptions {
  /** Where everything is kept; made where it is missing. */
  readonly dataDir: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Whether requests need the bearer token. */
  readonly auth: boolean;
  /** In place of the token that is kept in the data directory; an empty one counts as none. */
  readonly token?: string;
}

/** A local catalog that listens. */
export interface RunningCatalog {
  readonly url: string;
  /** Stays with the data directory. */
  readonly id: string;
  /** What requests must bear; undefined when they need none. */
  readonly token: string | undefined;
  /** Where the token is kept, when none was given. */
  readonly tokenFile: string;
  /**
   * Loads one file of DataHub metadata, all of it or nothing.
   * @throws LocalCatalogError naming the file, and the record where one is at fault.
   */
  load(file: string): Promise<LoadSummary>;
  /** Answers what is in flight, then stops and lets go of the data directory. */
  close(): Promise<void>;
}

/**
 * Starts a local catalog on the loopback address.
 * @throws LocalCatalogError when the data directory cannot be used or is in use, or the port is taken.
 */
export async function startCatalog(options: CatalogOptions): Promise<RunningCatalog> {
  const directory = openDataDirectory(options.dataDir);
  let store: AspectStore | undefined;
  try {
    store = openStore(options.dataDir, directory);
    return await serve(store, directory, options);
  } catch (error) {
    store?.close();
    directory.release();
    throw error;
  }
}

async function serve(
  store: AspectStore,
  directory: DataDirectory,
  { port, auth, token: givenToken }: CatalogOptions,
): Promise<RunningCatalog> {
  const token = auth ? givenToken || loadOrCreateToken(directory.tokenFile) : undefined;
  const graphql = await graphqlEndpoint(store, Date.now);
  const server = await listen(requestRouter(graphql, { store, now: Date.now }, token), port);
  return {
    url: `http://127.0.0.1:${server.port}`,
    id: store.id,
    token,
    tokenFile: directory.tokenFile,
    load: (file) => loadMetadataFile(store, file, Date.now()),
    close: once(async () => {
      await server.close();
      store.close();
      directory.release();
    }),
  };
}

function openStore(dataDir: string, { databaseFile }: DataDirectory): AspectStore {
  try {
    const store = openAspectStore(databaseFile, randomUUID);
    seedCatalog(store, Date.now());
    return store;
  } catch (error) {
    throw error instanceof LocalCatalogError ? error : unusable(dataDir, error);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
