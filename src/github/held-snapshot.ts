import { fileOfArtifact, newestArtifact } from "./artifacts.ts";
import type { GithubClient } from "./client.ts";
import { GithubError } from "./failure.ts";
import { type GithubRepository, objectIn, pathOf, textIn } from "./objects.ts";

/** The name of the snapshot in its artifact. */
const snapshotFile = "snapshot.json";

/** What starts a run on the default branch that saves snapshots. */
const events: ReadonlySet<string> = new Set(["schedule", "workflow_dispatch"]);

/**
 * The snapshot in the newest artifact of a name from a scheduled run, or one by hand, on the default branch of the repository
 * itself. Throws `GithubError`, also where there is none.
 */
export async function heldSnapshot(
  client: GithubClient,
  repository: GithubRepository,
  name: string,
): Promise<string> {
  const asked = { what: "read the repository", needs: "metadata: read" };
  const { data } = await client.send({ path: pathOf(repository), ...asked });
  const branch = textIn(objectIn(data, "a repository")["default_branch"]);
  const newest = await newestArtifact(client, repository, name, {
    artifact: (each) => each.branch === branch,
    run: ({ event }) => events.has(event),
  });
  if ("artifact" in newest) return await fileOfArtifact(client, repository, newest.artifact, snapshotFile);
  const found = newest.why === "expired" ? "has expired" : "was not found";
  throw new GithubError(
    "not-found",
    `the artifact ${name} of a run on ${branch}, scheduled or by hand, ${found}`,
  );
}
