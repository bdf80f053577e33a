/** Finds the saved plans for the pull requests that were merged by a commit, if the origin of the plans can be verified. */

import { type Artifact, fileOfArtifact, newestArtifact, type NoArtifact } from "./artifacts.ts";
import type { GithubClient } from "./client.ts";
import { GithubError } from "./failure.ts";

/** A commit, and the location of the saved plans for its pull requests. */
export interface ReviewedRequest {
  readonly commit: string;
  /** The branch that the commit is on. */
  readonly branch: string;
  /** The name of the artifact that contains the plan. */
  readonly artifact: string;
  /** The file name of the workflow that plans pull requests, such as `plan.yml`. */
  readonly workflow: string;
}

/** The plan saved by the last run for a pull request, or the reason why there is none. */
export interface ReviewedText {
  readonly pullRequest: number;
  readonly found: { readonly text: string } | { readonly why: NoPlan };
}

/** The reason why a pull request has no usable plan. */
export type NoPlan = NoArtifact | "same-commits" | "unreadable";

/** The name of the plan file in the artifact. */
const planFile = "plan.json";

/**
 * Returns the plans for the pull requests that were merged by a commit, sorted by pull request number. A plan is accepted only if
 * GitHub's own records show that a run of the workflow for that pull request saved the plan. Otherwise, anyone who can push a
 * branch could save a different plan under the same name. Throws `GithubError`.
 */
export async function reviewedPlans(
  client: GithubClient,
  request: ReviewedRequest,
): Promise<readonly ReviewedText[]> {
  const reviewed: ReviewedText[] = [];
  for (const pull of await mergedBy(client, request)) {
    reviewed.push({ pullRequest: pull.number, found: await planOf(client, request, pull) });
  }
  return reviewed;
}

async function planOf(
  client: GithubClient,
  { artifact: name, workflow }: ReviewedRequest,
  pull: Merged,
): Promise<ReviewedText["found"]> {
  // GitHub reports the branch and commit of a run, but not its pull request. Pull requests with the same commits therefore cannot
  // be distinguished.
  if (await hasSameCommits(client, pull)) return { why: "same-commits" };
  const since = await lastBaseChange(client, pull);
  const newest = await newestArtifact(client, name, {
    artifact: ({ commit, branch }) => commit === pull.head && branch === pull.branch,
    run: ({ event, file, createdAt }) =>
      event === "pull_request" &&
      file === `.github/workflows/${workflow}` &&
      (since === undefined || createdAt > since),
  });
  if ("why" in newest) return newest;
  return await textIn(client, newest.artifact);
}

/** Returns the text of the plan in an artifact, or a reason if the artifact cannot be unpacked or has just expired. */
async function textIn(client: GithubClient, artifact: Artifact): Promise<ReviewedText["found"]> {
  try {
    return { text: await fileOfArtifact(client, artifact, planFile) };
  } catch (error) {
    if (!(error instanceof GithubError)) throw error;
    if (error.failure === "archive" || error.failure === "answer") return { why: "unreadable" };
    if (error.details.status === 410) return { why: "expired" };
    throw error;
  }
}

interface Merged {
  readonly number: number;
  /** The last commit on the pull request's branch. */
  readonly head: string;
  readonly branch: string;
}

async function mergedBy(
  client: GithubClient,
  { commit, branch }: ReviewedRequest,
): Promise<readonly Merged[]> {
  const purpose = { what: `find the pull request that merged ${commit}`, needs: "pull-requests: read" };
  const route = "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls";
  const entries = client.entries(purpose, route, { commit_sha: commit }, (data) => data);
  const merged: (Merged & { readonly isBy: boolean })[] = [];
  for await (const { number, merged_at: mergedAt, merge_commit_sha: by, base, head } of entries) {
    if (mergedAt && base.ref === branch)
      merged.push({ number, head: head.sha, branch: head.ref, isBy: by === commit });
  }
  // GitHub lists every pull request that contains the commit, even if a different commit merged the pull request.
  const exact = merged.filter(({ isBy }) => isBy);
  return (exact.length > 0 ? exact : merged).toSorted((a, b) => a.number - b.number);
}

/** Whether a different pull request, open or closed, has the same branch and commit. */
async function hasSameCommits(client: GithubClient, { number, head, branch }: Merged): Promise<boolean> {
  const purpose = { what: `list the pull requests from branch ${branch}`, needs: "pull-requests: read" };
  const parameters = { state: "all", head: `${client.owner}:${branch}` } as const;
  const entries = client.entries(purpose, "GET /repos/{owner}/{repo}/pulls", parameters, (data) => data);
  for await (const other of entries) if (other.number !== number && other.head.sha === head) return true;
  return false;
}

/** GitHub's events for changes to the base branch of a pull request. */
const baseChanges: ReadonlySet<unknown> = new Set(["base_ref_changed", "automatic_base_change_succeeded"]);

/**
 * Returns the time when the base of a pull request last changed, in milliseconds since the epoch. Runs before that time used the
 * workflow from a different branch.
 */
async function lastBaseChange(client: GithubClient, { number }: Merged): Promise<number | undefined> {
  const purpose = { what: `list the events of #${number}`, needs: "pull-requests: read" };
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/events";
  const entries = client.entries(purpose, route, { issue_number: number }, (data) => data);
  let last: number | undefined;
  for await (const { event, created_at: at } of entries)
    if (baseChanges.has(event)) last = Math.max(last ?? 0, Date.parse(at));
  return last;
}
