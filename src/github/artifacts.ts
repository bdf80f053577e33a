import { isJsonObject, type Json } from "../model/json.ts";
import type { GithubClient } from "./client.ts";
import { GithubError } from "./failure.ts";
import { type GithubRepository, objectIn, pathOf, textIn } from "./objects.ts";
import { unzipped } from "./unzip.ts";
import { readRun, type WorkflowRun } from "./workflow-run.ts";

/** What a run of a workflow uploaded. */
export interface Artifact {
  readonly id: number;
  /** The id of the run. */
  readonly run: number;
  readonly createdAt: string;
  readonly isExpired: boolean;
  /** The commit and the branch of the run. */
  readonly commit: string;
  readonly branch: string;
  /** Whether the run's commit is from a fork, whose owner decides what it holds. */
  readonly isFromFork: boolean;
}

/** Which artifacts can be used: by what is known of them, and of the runs that uploaded them. */
export interface Meant {
  readonly artifact: (artifact: Artifact) => boolean;
  readonly run: (run: WorkflowRun) => boolean;
}

/** Why no artifact can be used. */
export type NoArtifact = "none" | "fork" | "expired" | "other-run";

/** The most artifacts of one name that are looked at. */
const mostArtifacts = 2_000;

/** The most artifacts of which the runs are asked for. */
const mostRuns = 50;

/**
 * The newest artifact of a name that is meant, or why there is none. Never one of a fork. Whoever can push a branch can
 * upload an artifact of any name: only what GitHub itself says of the run tells where it comes from. Throws `GithubError`.
 */
export async function newestArtifact(
  client: GithubClient,
  repository: GithubRepository,
  name: string,
  meant: Meant,
): Promise<{ readonly artifact: Artifact } | { readonly why: NoArtifact }> {
  const all = (await artifactsNamed(client, repository, name)).filter(meant.artifact);
  const own = all.filter(({ isFromFork }) => !isFromFork);
  const newest = own
    .filter(({ isExpired }) => !isExpired)
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.id - a.id);
  for (const artifact of newest.slice(0, mostRuns)) {
    if (meant.run(await readRun(client, repository, artifact.run))) return { artifact };
  }
  if (newest.length > 0) return { why: "other-run" };
  return { why: own.length > 0 ? "expired" : all.length > 0 ? "fork" : "none" };
}

async function artifactsNamed(
  client: GithubClient,
  repository: GithubRepository,
  name: string,
): Promise<readonly Artifact[]> {
  const path = `${pathOf(repository)}/actions/artifacts?name=${encodeURIComponent(name)}`;
  const request = { path, what: `list the artifacts ${name}`, needs: "actions: read" };
  const artifacts: Artifact[] = [];
  for await (const entry of client.entries(request)) {
    artifacts.push(artifactIn(entry));
    if (artifacts.length === mostArtifacts) break;
  }
  return artifacts;
}

function artifactIn(data: Json): Artifact {
  const { id, created_at: createdAt, expired, workflow_run: run } = objectIn(data, "an artifact");
  if (typeof id !== "number") throw new GithubError("answer", "GitHub's answer is not an artifact");
  const { head_sha: commit, head_branch: branch, ...of } = isJsonObject(run) ? run : {};
  const { id: runId } = of;
  if (typeof runId !== "number")
    throw new GithubError("answer", "GitHub does not say which run uploaded an artifact");
  const isOwn = typeof of["repository_id"] === "number" && of["repository_id"] === of["head_repository_id"];
  return {
    id,
    run: runId,
    createdAt: textIn(createdAt),
    isExpired: expired === true,
    commit: textIn(commit),
    branch: textIn(branch),
    isFromFork: !isOwn,
  };
}

/** How large an archive, and a file in it, may be. */
const artifactLimits = { archive: 64_000_000, file: 256_000_000 };

/** One file of an artifact. Throws `GithubError` where it cannot be downloaded or unpacked. */
export async function fileOfArtifact(
  client: GithubClient,
  repository: GithubRepository,
  { id }: Artifact,
  file: string,
): Promise<string> {
  const asked = { what: "download an artifact", needs: "actions: read" };
  const path = `${pathOf(repository)}/actions/artifacts/${id}/zip`;
  const { headers } = await client.send({ path, redirect: "manual", ...asked });
  const address = textIn(headers["location"]);
  if (!URL.canParse(address)) throw new GithubError("answer", "GitHub does not say where the artifact is");
  const archive = await client.download(address, asked, artifactLimits.archive);
  return (await unzipped(archive, file, artifactLimits.file)).toString("utf8");
}
