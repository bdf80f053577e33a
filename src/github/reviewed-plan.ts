import { isJsonObject, type Json } from "../model/json.ts";
import { fileOfArtifact, newestArtifact, type NoArtifact } from "./artifacts.ts";
import type { GithubClient } from "./client.ts";
import { GithubError } from "./failure.ts";
import { type GithubRepository, objectIn, pathOf, textIn } from "./objects.ts";

/** A commit, and the name under which plans of pull requests are kept. */
export interface ReviewedRequest {
  readonly repository: GithubRepository;
  readonly commit: string;
  readonly artifact: string;
}

/** The plan of a pull request as its last run saved it, or why there is none. */
export interface ReviewedText {
  readonly pullRequest: number;
  readonly found: { readonly text: string } | { readonly why: NoPlan };
}

/** Why a pull request has no plan that can be read. */
export type NoPlan = NoArtifact | "unreadable";

/** The name of the plan in its artifact. */
const planFile = "plan.json";

/** The plans of the pull requests that a commit merged, in the order of their numbers. Throws `GithubError`. */
export async function reviewedPlans(
  client: GithubClient,
  { repository, commit, artifact: name }: ReviewedRequest,
): Promise<readonly ReviewedText[]> {
  const reviewed: ReviewedText[] = [];
  for (const { number, head } of await mergedBy(client, repository, commit)) {
    const newest = await newestArtifact(client, repository, name, (each) => each.commit === head);
    const found =
      "why" in newest
        ? newest
        : await readable(() => fileOfArtifact(client, repository, newest.artifact, planFile));
    reviewed.push({ pullRequest: number, found });
  }
  return reviewed;
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
}

async function mergedBy(
  client: GithubClient,
  repository: GithubRepository,
  commit: string,
): Promise<readonly Merged[]> {
  const path = `${pathOf(repository)}/commits/${encodeURIComponent(commit)}/pulls`;
  const what = `ask which pull request merged ${commit}`;
  const merged: (Merged & { readonly isBy: boolean })[] = [];
  for await (const entry of client.entries({ path, what, needs: "pull-requests: read" })) {
    const pull = objectIn(entry, "a pull request");
    if (typeof pull["merged_at"] !== "string" || typeof pull["number"] !== "number") continue;
    const isBy = pull["merge_commit_sha"] === commit;
    merged.push({ number: pull["number"], head: headOf(pull["head"]), isBy });
  }
  // A commit is in every pull request that holds it, also in one that came from another branch before.
  const exact = merged.filter(({ isBy }) => isBy);
  return (exact.length > 0 ? exact : merged).toSorted((a, b) => a.number - b.number);
}

function headOf(head: Json | undefined): string {
  return isJsonObject(head) ? textIn(head["sha"]) : "";
}
