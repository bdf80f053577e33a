import { isJsonObject, type Json } from "../model/json.ts";
import { fileOfArtifact, newestArtifact, type NoArtifact } from "./artifacts.ts";
import type { GithubClient } from "./client.ts";
import { GithubError } from "./failure.ts";
import { type GithubRepository, objectIn, pathOf, textIn } from "./objects.ts";

/** A commit, and how plans of pull requests are saved. */
export interface ReviewedRequest {
  readonly repository: GithubRepository;
  readonly commit: string;
  /** The branch that the commit is on. */
  readonly branch: string;
  /** The name of the artifact. */
  readonly artifact: string;
  /** The file of the workflow that plans pull requests, without its folder, such as `plan.yml`. */
  readonly workflow: string;
}

/** The plan of a pull request as its last run saved it, or why there is none. */
export interface ReviewedText {
  readonly pullRequest: number;
  readonly found: { readonly text: string } | { readonly why: NoPlan };
}

/** Why a pull request has no plan that can be read. */
export type NoPlan = NoArtifact | "same-commits" | "unreadable";

/** The name of the plan in its artifact. */
const planFile = "plan.json";

/**
 * The plans of the pull requests that a commit merged, in the order of their numbers. A plan counts only if a run of the
 * workflow for that pull request saved it, as GitHub tells of the run; otherwise whoever can push a branch could save another
 * one under its name. Throws `GithubError`.
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
  { repository, artifact: name, workflow }: ReviewedRequest,
  pull: Merged,
): Promise<ReviewedText["found"]> {
  // GitHub does not say for which pull request a run was, only for which branch and commit.
  if (await hasSameCommits(client, repository, pull)) return { why: "same-commits" };
  const since = await lastBaseChange(client, repository, pull);
  const newest = await newestArtifact(client, repository, name, {
    artifact: ({ commit, branch }) => commit === pull.head && branch === pull.branch,
    run: ({ event, file, createdAt }) =>
      event === "pull_request" &&
      file === `.github/workflows/${workflow}` &&
      (since === undefined || Date.parse(createdAt) > since),
  });
  if ("why" in newest) return newest;
  return await readable(() => fileOfArtifact(client, repository, newest.artifact, planFile));
}

/** What an artifact holds; what is broken or has expired meanwhile can be told as well as what is not there. */
async function readable(read: () => Promise<string>): Promise<ReviewedText["found"]> {
  try {
    return { text: await read() };
  } catch (error) {
    if (!(error instanceof GithubError)) throw error;
    if (error.failure === "archive") return { why: "unreadable" };
    if (error.details.status === 410) return { why: "expired" };
    throw error;
  }
}

interface Merged {
  readonly number: number;
  /** The last commit of its branch. */
  readonly head: string;
  readonly branch: string;
}

async function mergedBy(
  client: GithubClient,
  { repository, commit, branch }: ReviewedRequest,
): Promise<readonly Merged[]> {
  const path = `${pathOf(repository)}/commits/${encodeURIComponent(commit)}/pulls`;
  const what = `ask which pull request merged ${commit}`;
  const merged: (Merged & { readonly isBy: boolean })[] = [];
  for await (const entry of client.entries({ path, what, needs: "pull-requests: read" })) {
    const pull = objectIn(entry, "a pull request");
    if (typeof pull["merged_at"] !== "string" || typeof pull["number"] !== "number") continue;
    if (endOf(pull["base"]).branch !== branch) continue;
    const { commit: head, branch: own } = endOf(pull["head"]);
    merged.push({ number: pull["number"], head, branch: own, isBy: pull["merge_commit_sha"] === commit });
  }
  // A commit is in every pull request that holds it, also in one that came from another branch before.
  const exact = merged.filter(({ isBy }) => isBy);
  return (exact.length > 0 ? exact : merged).toSorted((a, b) => a.number - b.number);
}

/** Whether another pull request, open or closed, is or was of the same branch and commit. */
async function hasSameCommits(
  client: GithubClient,
  repository: GithubRepository,
  { number, head, branch }: Merged,
): Promise<boolean> {
  const of = encodeURIComponent(`${repository.owner}:${branch}`);
  const path = `${pathOf(repository)}/pulls?state=all&head=${of}`;
  const asked = { what: `list the pull requests of ${branch}`, needs: "pull-requests: read" };
  for await (const entry of client.entries({ path, ...asked })) {
    const other = objectIn(entry, "a pull request");
    if (other["number"] !== number && endOf(other["head"]).commit === head) return true;
  }
  return false;
}

/** What GitHub calls the events of a pull request that change its base branch. */
const baseChanges: ReadonlySet<unknown> = new Set(["base_ref_changed", "automatic_base_change_succeeded"]);

/**
 * When the base of a pull request was last changed, in milliseconds, if it was: its runs before had the workflow of another
 * branch.
 */
async function lastBaseChange(
  client: GithubClient,
  repository: GithubRepository,
  { number }: Merged,
): Promise<number | undefined> {
  const path = `${pathOf(repository)}/issues/${number}/events`;
  const asked = { what: `list the events of #${number}`, needs: "pull-requests: read" };
  let last: number | undefined;
  for await (const entry of client.entries({ path, ...asked })) {
    const { event, created_at: at } = objectIn(entry, "an event");
    if (baseChanges.has(event)) last = Math.max(last ?? 0, Date.parse(textIn(at)));
  }
  return last;
}

function endOf(end: Json | undefined): { readonly commit: string; readonly branch: string } {
  const { sha, ref } = isJsonObject(end) ? end : {};
  return { commit: textIn(sha), branch: textIn(ref) };
}
