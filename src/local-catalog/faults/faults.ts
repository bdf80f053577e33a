import { AsyncLocalStorage } from "node:async_hooks";
import type { Socket } from "node:net";
import type { GraphQLSchema } from "graphql";
import type { RequestRouter } from "../http/router.ts";
import type { Drawn } from "./drawn.ts";
import { withFaults } from "./graphql.ts";
import { openWindows } from "./lost-updates.ts";
import { emptyReport } from "./report.ts";
import { faultyRouter, reportPath } from "./router.ts";
import type { FaultSettings } from "./settings.ts";

/** The faults of a catalog. */
export type Faults = ReturnType<typeof faultsOf>;

/** The faults that the settings describe. The same seed and order of requests have the same faults. */
export function faultsOf(settings: FaultSettings) {
  const report = emptyReport(settings);
  const hanging = new Set<Socket>();
  const windows = openWindows(report);
  const current = new AsyncLocalStorage<readonly Drawn[]>();
  return {
    /** Puts the faults of GraphQL into a schema. */
    schema: (schema: GraphQLSchema) =>
      withFaults(schema, { drawn: () => current.getStore() ?? [], report, windows }),
    /** Puts the faults of HTTP before a router. */
    router: (route: RequestRouter) =>
      faultyRouter(route, {
        settings,
        report,
        hanging,
        carryOut: (drawn, handle) => current.run(drawn, handle),
      }),
    paths: { [reportPath]: () => ({ status: 200, body: { ...report } }) },
    /** Ends the connections that hang, and lets mutations write that wait to. */
    release: () => {
      for (const socket of hanging) socket.destroy();
      windows.release();
    },
    /** To be called when no request is left. */
    // Until then it makes every promise of the process slower, also of the catalogs that have no faults.
    close: () => current.disable(),
  };
}
