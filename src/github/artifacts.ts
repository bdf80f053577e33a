/** Finds the newest trusted workflow artifact with a given name, and downloads a file from the artifact. */

import type { GithubClient } from "./client.ts";
import { unzipped } from "./unzip.ts";

/** An artifact that a workflow run uploaded. */
export interface Artifact {
  readonly id: number;
  /** The id of the workflow run. */
  readonly run: number;
  readonly createdAt: number;
  readonly isExpired: boolean;
  /** The commit of the workflow run, if it is known. */
  readonly commit: string | undefined;
  readonly branch: string | undefined;
  /** Whether the commit of the run is from a fork. If so, the owner of the fork controls the content of the artifact. */
  readonly isFromFork: boolean;
}

/** GitHub's description of a workflow run. The run itself cannot change this description. */
interface WorkflowRun {
  /** The event that started the run, such as `pull_request`. */
  readonly event: string;
  /** The workflow file, such as `.github/workflows/plan.yml`. */
  readonly file: string;
  /** The time of the run's first attempt, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** The conditions that an artifact and its workflow run must meet. */
interface ArtifactFilter {
  readonly artifact: (artifact: Artifact) => boolean;
  readonly run: (run: WorkflowRun) => boolean;
}

/** The reason why no artifact can be used. */
export type NoArtifact = "none" | "fork" | "expired" | "other-run";

/** The maximum number of artifacts to list for a name. */
const maxArtifacts = 2_000;

/** The maximum number of artifacts whose workflow runs are read. */
const maxRuns = 50;

/**
 * Returns the newest artifact that has the given name and meets the conditions, or the reason why there is none. Artifacts from
 * forks are never accepted. Anyone who can push a branch can upload artifacts with any name, so the origin is determined only
 * from GitHub's description of the run. Throws `GithubError`.
 */
export async function newestArtifact(
  client: GithubClient,
  name: string,
  filter: ArtifactFilter,
): Promise<{ readonly artifact: Artifact } | { readonly why: NoArtifact }> {
  const all = (await artifactsNamed(client, name)).filter(filter.artifact);
  const own = all.filter(({ isFromFork }) => !isFromFork);
  const newest = own
    .filter(({ isExpired }) => !isExpired)
    .toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  for (const artifact of newest.slice(0, maxRuns)) {
    if (filter.run(await readRun(client, artifact.run))) return { artifact };
  }
  if (newest.length > 0) return { why: "other-run" };
  return { why: own.length > 0 ? "expired" : all.length > 0 ? "fork" : "none" };
}

async function artifactsNamed(client: GithubClient, name: string): Promise<readonly Artifact[]> {
  const purpose = { what: `list the artifacts named ${name}`, needs: "actions: read" };
  const route = "GET /repos/{owner}/{repo}/actions/artifacts";
  const entries = client.entries(purpose, route, { name }, (data) => data.artifacts);
  const artifacts: Artifact[] = [];
  for await (const { id, created_at: createdAt, expired: isExpired, workflow_run: run } of entries) {
    if (run?.id === undefined) continue;
    artifacts.push({
      id,
      run: run.id,
      createdAt: Date.parse(createdAt ?? ""),
      isExpired,
      commit: run.head_sha,
      branch: run.head_branch,
      isFromFork: typeof run.repository_id !== "number" || run.repository_id !== run.head_repository_id,
    });
    if (artifacts.length === maxArtifacts) break;
  }
  return artifacts;
}

async function readRun(client: GithubClient, id: number): Promise<WorkflowRun> {
  const purpose = { what: "read a workflow run", needs: "actions: read" };
  const data = await client.send(purpose, "GET /repos/{owner}/{repo}/actions/runs/{run_id}", { run_id: id });
  // GitHub may append a branch to the path, as in `.github/workflows/plan.yml@main`.
  const file = data.path.replace(/@.*$/, "");
  return { event: data.event, file, createdAt: Date.parse(data.created_at) };
}

/** The maximum size of an unpacked file, in bytes. */
const maxUnpacked = 256_000_000;

/** Returns the text of one file in an artifact. Throws `GithubError` if the artifact cannot be downloaded or unpacked. */
export async function fileOfArtifact(client: GithubClient, { id }: Artifact, file: string): Promise<string> {
  const archive = await client.download(
    { what: "download an artifact", needs: "actions: read" },
    "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
    { artifact_id: id, archive_format: "zip" },
  );
  return (await unzipped(archive, file, maxUnpacked)).toString("utf8");
}
