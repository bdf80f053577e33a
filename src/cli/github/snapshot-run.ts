/** Downloads the newest trusted snapshot from a workflow run and saves it, for `github snapshot`. */

import { fileOfArtifact, newestArtifact } from "../../github/artifacts.ts";
import { GithubError } from "../../github/failure.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { writeResult } from "../output/report-files.ts";
import { openGithub } from "./environment.ts";

/** The events that start trusted runs. */
const events: ReadonlySet<string> = new Set(["schedule", "workflow_dispatch"]);

/**
 * Saves the newest snapshot from a scheduled or manual run on the default branch of the repository itself. Throws `GithubError`.
 */
export async function fetchSnapshot(
  { out, artifact: name }: { readonly out: string; readonly artifact: string },
  io: Io,
): Promise<ExitCode> {
  const client = await openGithub(io);
  const purpose = { what: "read the repository", needs: "metadata: read" };
  const { default_branch: branch } = await client.send(purpose, "GET /repos/{owner}/{repo}", {});
  const newest = await newestArtifact(client, name, {
    artifact: (each) => each.branch === branch,
    run: ({ event }) => events.has(event),
  });
  if ("why" in newest) {
    const found = newest.why === "expired" ? "has expired" : "was not found";
    const message = `the artifact ${name} from a scheduled or manual run on ${branch} ${found}`;
    throw new GithubError("not-found", message);
  }
  return await writeResult(out, await fileOfArtifact(client, newest.artifact, "snapshot.json"), io);
}
