/** Assembles a catalog's faults: the GraphQL faults, the HTTP faults, and their report. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Socket } from "node:net";
import type { GraphQLSchema } from "graphql";
import type { RequestRouter } from "../http/router.ts";
import type { DrawnFault } from "./draw-faults.ts";
import { withFaults } from "./graphql.ts";
import { updateWindows } from "./lost-updates.ts";
import { emptyReport } from "./report.ts";
import { faultyRouter, reportPath } from "./router.ts";
import type { FaultSettings } from "./settings.ts";

/** The faults that a catalog injects. */
export type Faults = ReturnType<typeof faultsOf>;

/** Creates the faults from the settings. The same seed and the same order of requests produce the same faults. */
export function faultsOf(settings: FaultSettings) {
  const report = emptyReport(settings);
  const hanging = new Set<Socket>();
  const windows = updateWindows(report);
  const current = new AsyncLocalStorage<readonly DrawnFault[]>();
  return {
    /** Adds the GraphQL faults to a schema. */
    schema: (schema: GraphQLSchema) =>
      withFaults(schema, { drawn: () => current.getStore() ?? [], report, windows }),
    /** Wraps a router so that it injects the HTTP faults. */
    router: (route: RequestRouter) =>
      faultyRouter(route, {
        settings,
        report,
        hanging,
        carryOut: (drawn, handle) => current.run(drawn, handle),
      }),
    paths: { [reportPath]: () => ({ status: 200, body: { ...report } }) },
    /** Closes hanging connections, and lets delayed mutations proceed. */
    release: () => {
      for (const socket of hanging) socket.destroy();
      windows.release();
    },
    /**
     * Turns off the tracking of each request's faults. Call this function after the last request, because the tracking slows down
     * all promises in the process.
     */
    close: () => current.disable(),
  };
}
