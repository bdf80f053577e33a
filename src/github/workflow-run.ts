import type { GithubClient } from "./client.ts";
import { type GithubRepository, objectIn, pathOf, textIn } from "./objects.ts";

/** A run of a workflow: what GitHub says of it, which nothing that the run does can change. */
export interface WorkflowRun {
  /** What started it, such as `pull_request`. */
  readonly event: string;
  /** The file of the workflow, such as `.github/workflows/plan.yml`. */
  readonly file: string;
  /** When it was started for the first time, as an ISO 8601 instant. */
  readonly createdAt: string;
}

/** A run of a workflow by its id. Throws `GithubError`. */
export async function readRun(
  client: GithubClient,
  repository: GithubRepository,
  id: number,
): Promise<WorkflowRun> {
  const path = `${pathOf(repository)}/actions/runs/${id}`;
  const { data } = await client.send({ path, what: "read a run of a workflow", needs: "actions: read" });
  const { event, path: file, created_at: createdAt } = objectIn(data, "a run of a workflow");
  // GitHub may add the branch of the workflow: `.github/workflows/plan.yml@main`.
  return { event: textIn(event), file: textIn(file).replace(/@.*$/, ""), createdAt: textIn(createdAt) };
}
