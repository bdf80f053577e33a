/** Starts a local catalog and connects its components. */

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { loadOrCreateToken } from "./http/access-token.ts";
import type { AspectStore } from "./store/aspect-store.ts";
import { openSqlite, type Sqlite } from "./store/sqlite/connection.ts";
import { aspectStoreIn } from "./store/sqlite/open-store.ts";
import { openDataDirectory, unusableDirectoryError, type DataDirectory } from "./store/data-directory.ts";
import { catalogUser, systemUser } from "./store/audit.ts";
import { seedCatalog } from "./store/seed.ts";
import { graphqlEndpoint } from "./graphql/endpoint.ts";
import { listen } from "./http/listen.ts";
import { loadMetadataFile, type LoadOptions, type LoadSummary } from "./load/load-file.ts";
import { LocalCatalogError } from "./errors.ts";
import type { Faults } from "./faults/faults.ts";
import type { FaultSettings } from "./faults/settings.ts";
import { routeReads, withMaxBatch } from "./faults/by-request.ts";
import { requestRouter, type RequestRouter } from "./http/router.ts";
import type { CatalogState } from "./store/catalog-state.ts";
import { withoutHiddenValues } from "./store/hidden-values.ts";
import { laggingReads, laggingStore } from "./store/lagging-index.ts";
import { oneProductPerAsset } from "./store/one-product.ts";
import { cleanUps } from "./store/removals.ts";

export { dumpAspects, type AspectRow } from "./store/aspect-dump.ts";
export { LocalCatalogError, type LoadSummary };

/** Options for starting a local catalog. */
export interface CatalogOptions extends BehaviorOptions {
  /** The directory that contains all data. The catalog creates it if it does not exist. */
  readonly dataDir: string;
  /**
   * A boundary for links, such as the working directory. The catalog does not start if a symbolic link in the data directory's
   * path leads out of this directory or out of the repository that contains the link.
   */
  readonly root?: string;
  /** The port to listen on; 0 selects a free port. */
  readonly port: number;
  /** Whether requests require the bearer token. */
  readonly auth: boolean;
  /** A token to use instead of the token in the data directory. An empty token is ignored. */
  readonly token?: string;
  /** Called before the catalog accepts requests. If the function throws an error, the catalog does not start. */
  readonly first?: (load: Load) => Promise<void>;
}

/** Options that control how a local catalog behaves. */
interface BehaviorOptions {
  /** The token that requests must contain, if any. */
  readonly token?: string | undefined;
  /**
   * The user to whom requests are attributed when no token is required, unless the header `X-DataHub-Actor` specifies a different
   * user. The default is DataHub's system user, as on a real server without authentication (NoOpAuthenticator.java). When a token
   * is required, the user is always `urn:li:corpuser:datahub`.
   */
  readonly actor?: string;
  /**
   * Delay in seconds before writes appear in searches, lists and relationships, and before references to deleted entities are
   * removed; 0 by default. Data from `load` is visible immediately.
   */
  readonly lag?: number;
  /** Delay in seconds before writes appear in any read, as with a replica or a cache; 0 by default. */
  readonly readLag?: number;
  /**
   * Maximum number of entities in a request; unlimited by default. The catalog answers larger requests with 504, like a gateway
   * with a short timeout.
   */
  readonly maxBatch?: number;
  /** Whether an asset can belong to only one data product (MULTIPLE_DATA_PRODUCTS_PER_ASSET=false in DataHub); off by default. */
  readonly oneProductPerAsset?: boolean;
  /**
   * Whether the catalog validates proposals before it converts their numbers to doubles (ALTERNATE_MCP_VALIDATION=true in
   * DataHub, as in its quickstart); off by default.
   */
  readonly alternateValidation?: boolean;
  /**
   * Whether mutations round numbers in structured properties to 32-bit floats, as all DataHub releases before August 2026 do; off
   * by default.
   */
  readonly float32?: boolean;
  /** Entities that no user may view (VIEW_AUTHORIZATION_ENABLED in DataHub); none by default. */
  readonly restrict?: ReadonlySet<string>;
  /**
   * Whether GraphQL also hides the stored aspects of restricted entities; off by default, as in DataHub
   * (WeaklyTypedAspectsResolver.java).
   */
  readonly hidesAspects?: boolean;
  /** Returns the current time in milliseconds since the Unix epoch; the system time by default. */
  readonly now?: () => number;
  /** Faults to inject for testing clients; none by default. */
  readonly faults?: FaultSettings;
}

/**
 * Loads one DataHub metadata file, either completely or not at all. The catalog answers no requests during the load.
 * @throws LocalCatalogError when the file cannot be loaded. The message identifies the file and the invalid record, if any.
 */
type Load = (file: string, options?: LoadOptions) => Promise<LoadSummary>;

/** A local catalog that accepts requests. */
export interface RunningCatalog {
  readonly url: string;
  /** A random id that identifies the data directory. */
  readonly id: string;
  /** The token that requests must contain, or undefined if no token is required. */
  readonly token: string | undefined;
  /** The file that contains the token, unless the options specify a token. */
  readonly tokenFile: string;
  readonly load: Load;
  /** Finishes in-flight requests, then stops the catalog and releases the data directory. */
  close(): Promise<void>;
}

/**
 * Starts a local catalog on the loopback address.
 * @throws LocalCatalogError when the data directory is unusable or already in use, or when the port is in use.
 */
export async function startCatalog(options: CatalogOptions): Promise<RunningCatalog> {
  const directory = openDataDirectory(options.dataDir, options.root);
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
  options: CatalogOptions,
): Promise<RunningCatalog> {
  const { port, auth, token: givenToken, first } = options;
  const token = auth ? givenToken || loadOrCreateToken(directory.tokenFile) : undefined;
  const { route, load, faults } = await createCatalog(store, { ...options, token });
  await first?.(load);
  const server = await listen(route, port);
  return {
    url: `http://127.0.0.1:${server.port}`,
    id: store.id,
    token,
    tokenFile: directory.tokenFile,
    load,
    close: once(async () => {
      faults?.release();
      await server.close();
      faults?.close();
      store.close();
      directory.release();
    }),
  };
}

/** A local catalog that is not bound to a port. */
interface Catalog {
  readonly route: RequestRouter;
  readonly load: Load;
  readonly faults: Faults | undefined;
}

/** Creates a catalog that serves the aspects in a store. */
export async function createCatalog(plain: AspectStore, options: BehaviorOptions): Promise<Catalog> {
  const { token, faults: settings, readLag = 0, maxBatch, now = Date.now } = options;
  const faults = settings && (await import("./faults/faults.ts")).faultsOf(settings);
  const lagging = readLag > 0 ? laggingReads(plain, readLag * 1_000, now) : undefined;
  const state = stateOf(lagging?.store ?? plain, options);
  const cleanUp = cleanUps(state);
  cleanUp();
  const routerOf = async (of: CatalogState): Promise<RequestRouter> =>
    requestRouter(await graphqlEndpoint(of, faults?.schema), of, token, faults?.paths);
  const router = await routerOf(state);
  const current = lagging ? routeReads(await routerOf(readingState(state, lagging.reads)), router) : router;
  const passed = maxBatch === undefined ? current : withMaxBatch(maxBatch, current);
  const route = state.lag === 0 ? passed : after(cleanUp, passed);
  return {
    route: faults ? faults.router(route) : route,
    load: (file, loading) => loadMetadataFile(plain, file, state.now(), loading),
    faults,
  };
}

function stateOf(plain: AspectStore, options: BehaviorOptions): CatalogState {
  const { token, lag: seconds = 0, now = Date.now, actor = systemUser } = options;
  const lag = seconds * 1_000;
  // Reads the header `X-DataHub-Actor`, which DataHub's AuthenticationConstants.java defines.
  const actorOf = ({ headers }: IncomingMessage): string => {
    const [named] = [headers["x-datahub-actor"] ?? []].flat();
    return token === undefined ? named || actor : catalogUser;
  };
  const lagging = laggingStore(plain, lag, now);
  const store = withoutHiddenValues(lagging.store);
  // Without a lag, the store itself is the index.
  const index = lag === 0 ? store : lagging.index;
  return {
    store: options.oneProductPerAsset ? oneProductPerAsset(store, index) : store,
    index,
    lag,
    isOneProductPerAsset: options.oneProductPerAsset ?? false,
    isAlternateValidation: options.alternateValidation ?? false,
    isFloat32: options.float32 ?? false,
    restricted: options.restrict ?? new Set(),
    hidesAspects: options.hidesAspects ?? false,
    now,
    actorOf,
  };
}

/** Returns a copy of the state that reads from a different store. */
function readingState(state: CatalogState, reads: AspectStore): CatalogState {
  const store = withoutHiddenValues(reads);
  return { ...state, store, index: state.lag === 0 ? store : state.index };
}

/** Creates a router that runs `cleanUp` before each request. */
function after(cleanUp: () => void, route: RequestRouter): RequestRouter {
  return async (request, response) => {
    cleanUp();
    return route(request, response);
  };
}

function openStore(dataDir: string, { databaseFile }: DataDirectory): AspectStore {
  try {
    return seededStore(openSqlite(databaseFile));
  } catch (error) {
    throw error instanceof LocalCatalogError ? error : unusableDirectoryError(dataDir, error);
  }
}

/** Opens the store in a database, and adds any initial DataHub content that is missing. */
export function seededStore(database: Sqlite): AspectStore {
  const store = aspectStoreIn(database, randomUUID);
  seedCatalog(store, Date.now());
  return store;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
