import { approversOf } from "../../github/approvers.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { openGithub, required } from "./environment.ts";

/** Prints who approved the run of the workflow, in one line; nothing where nobody had to. */
export async function printApprovers(io: Io): Promise<ExitCode> {
  const { client, repository } = await openGithub(io, ["GITHUB_RUN_ID"]);
  const approvers = await approversOf(client, repository, required("GITHUB_RUN_ID", io));
  if (approvers.length > 0) io.stdout.write(`${approvers.join(", ")}\n`);
  return exitCodes.done;
}
