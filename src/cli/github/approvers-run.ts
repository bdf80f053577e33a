/** Prints the users who approved a workflow run, for `github approvers`. */

import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { openGithub, required } from "./environment.ts";

/**
 * Prints, on a single line, the users who approved the current workflow run for a GitHub environment. Prints nothing if no
 * approval was needed.
 */
export async function printApprovers(io: Io): Promise<ExitCode> {
  const client = await openGithub(io, ["GITHUB_RUN_ID"]);
  const run = Number(required("GITHUB_RUN_ID", io));
  const purpose = { what: "read the approvals of the run", needs: "actions: read" };
  const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/approvals";
  const data = await client.send(purpose, route, { run_id: run });
  const approvers = new Set(data.flatMap(({ state, user }) => (state === "approved" ? user.login : [])));
  if (approvers.size > 0) io.stdout.write(`${[...approvers].join(", ")}\n`);
  return exitCodes.done;
}
