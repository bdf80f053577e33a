/** Rejects a server that differs from the one pinned in the settings. */

import { isSameAddress } from "../../datahub/endpoint.ts";
import { ScopeError } from "./errors.ts";

/** Throws `ScopeError` if the settings pin a different server. */
export function refuseOtherServer(server: string, pinned: string | undefined): void {
  if (pinned === undefined || isSameAddress(server, pinned)) return;
  throw new ScopeError({ code: "other-server", server, pinned });
}
