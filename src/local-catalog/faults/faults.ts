import { AsyncLocalStorage } from "node:async_hooks";
import type { Socket } from "node:net";
import type { GraphQLSchema } from "graphql";
import type { ExtraPaths, RequestRouter } from "../http/router.ts";
import type { Drawn } from "./drawn.ts";
import { withFaults } from "./graphql.ts";
import { openWindows } from "./lost-updates.ts";
import { emptyReport } from "./report.ts";
import { faultyRouter, reportPath } from "./router.ts";
import type { FaultSettings } from "./settings.ts";

/** The faults of one catalog, for the places where they get in. */
export interface Faults {
  /** Puts the faults of GraphQL into a schema. */
  readonly schema: (schema: GraphQLSchema) => GraphQLSchema;
  /** Puts the faults of HTTP before a router. */
  readonly router: (route: RequestRouter) => RequestRouter;
  /** The path of the report. */
  readonly paths: ExtraPaths;
  /** Ends the connections that hang, and lets mutations write that wait to. */
  readonly release: () => void;
  /** To be called when no request is left. */
  readonly close: () => void;
}

/** The faults that the settings describe. The same seed and order of requests have the same faults. */
export function faultsOf(settings: FaultSettings): Faults {
  const report = emptyReport(settings);
  const hanging = new Set<Socket>();
  const windows = openWindows(report);
  const current = new AsyncLocalStorage<readonly Drawn[]>();
  return {
    schema: (schema) => withFaults(schema, { drawn: () => current.getStore() ?? [], report, windows }),
    router: (route) =>
      faultyRouter(route, {
        settings,
        report,
        hanging,
        carryOut: (drawn, handle) => current.run(drawn, handle),
      }),
    paths: { [reportPath]: () => ({ status: 200, body: { ...report } }) },
    release: () => {
      for (const socket of hanging) socket.destroy();
      windows.release();
    },
    // Until then it makes every promise of the process slower, also of the catalogs that have no faults.
    close: () => current.disable(),
  };
}
