import { AsyncLocalStorage } from "node:async_hooks";
import type { GraphQLSchema } from "graphql";
import type { ExtraPaths, RequestRouter } from "../http/router.ts";
import { hangingConnections } from "./breakage.ts";
import { countsOf } from "./counts.ts";
import { drawnFor, type Drawn } from "./drawn.ts";
import { withFaults } from "./graphql.ts";
import { faultyRouter, reportPath } from "./router.ts";
import type { FaultSettings } from "./settings.ts";
import { openWindows } from "./windows.ts";

/** The faults of one catalog, for the places where they get in. */
export interface Faults {
  /** Puts the faults of GraphQL into a schema. */
  readonly schema: (schema: GraphQLSchema) => GraphQLSchema;
  /** Puts the faults of HTTP before a router. */
  readonly router: (route: RequestRouter) => RequestRouter;
  /** Where the counts are. */
  readonly paths: ExtraPaths;
  /** Ends the connections that hang, and lets mutations write that wait to. */
  readonly release: () => void;
  /** To be called when no request is left. */
  readonly close: () => void;
}

/** The faults that the settings describe. The same seed and order of requests have the same faults. */
export function faultsOf(settings: FaultSettings): Faults {
  const { seed = 1, requests_per_second: requestsPerSecond } = settings;
  const counts = countsOf(seed, settings);
  const hanging = hangingConnections();
  const windows = openWindows();
  const current = new AsyncLocalStorage<readonly Drawn[]>();
  return {
    schema: (schema) => withFaults(schema, { drawn: () => current.getStore() ?? [], counts, windows }),
    router: (route) =>
      faultyRouter(route, {
        requestsPerSecond,
        counts,
        hanging,
        draw: (request, number) => drawnFor({ seed, number }, request, settings, counts),
        carryOut: (drawn, handle) => current.run(drawn, handle),
      }),
    paths: { [reportPath]: () => ({ status: 200, body: counts.report() }) },
    release: () => {
      hanging.release();
      windows.release();
    },
    // Until then it makes every promise of the process slower, also of the catalogs that have no faults.
    close: () => current.disable(),
  };
}
