/** Reads the reviews of a pull request, requests reviews from users and teams, and sets commit statuses. */

import { chunks } from "../model/group-by.ts";
import { isJsonList, isJsonObject, type Json } from "../model/json.ts";
import type { GithubClient } from "./client.ts";
import { GithubError } from "./failure.ts";

/** Reviewers: the logins of users and the slugs of teams. */
export interface Reviewers {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

/** The author, last commit and reviewers of a pull request. */
export interface Reviews {
  /** The login of the author, or `undefined` if the account was deleted. */
  readonly author: string | undefined;
  /** The last commit on the pull request's branch. */
  readonly head: string;
  /** Everyone who was ever asked for a review, and users who reviewed without being asked. */
  readonly asked: Reviewers;
  /** Users whose last review (on any commit) is an approval and was not dismissed, and the teams for which they approved. */
  readonly approved: Reviewers;
}

const reviewsQuery = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      author { login }
      headRefOid
      latestOpinionatedReviews(first: 100) {
        nodes { state author { login } onBehalfOf(first: 20) { nodes { slug } } }
      }
      timelineItems(itemTypes: [REVIEW_REQUESTED_EVENT], last: 100) {
        nodes { ... on ReviewRequestedEvent { requestedReviewer { ... on User { login } ... on Team { slug } } } }
      }
    }
  }
}`;

/** Reads the requested reviewers and the approvals of a pull request. Throws `GithubError`. */
export async function reviewsOf(client: GithubClient, number: number): Promise<Reviews> {
  const purpose = { what: `read the reviews of pull request #${number}`, needs: "pull-requests: read" };
  const answer = (await client.query(purpose, reviewsQuery, { number })) as Json;
  const pull = at(answer, "repository", "pullRequest");
  const head = at(pull, "headRefOid");
  if (typeof head !== "string")
    throw new GithubError("answer", `cannot ${purpose.what}: the repository has no such pull request`);
  const reviews = nodesOf(at(pull, "latestOpinionatedReviews"));
  const requested = nodesOf(at(pull, "timelineItems")).map((node) => at(node, "requestedReviewer"));
  const approving = reviews.filter((review) => at(review, "state") === "APPROVED");
  return {
    author: texts([at(pull, "author", "login")])[0],
    head,
    asked: {
      users: texts(
        [...requested, ...reviews.map((review) => at(review, "author"))].map((each) => at(each, "login")),
      ),
      teams: texts(requested.map((each) => at(each, "slug"))),
    },
    approved: {
      users: texts(approving.map((review) => at(review, "author", "login"))),
      teams: texts(
        approving.flatMap((review) => nodesOf(at(review, "onBehalfOf")).map((team) => at(team, "slug"))),
      ),
    },
  };
}

function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let found = value;
  for (const key of keys) found = isJsonObject(found) ? found[key] : undefined;
  return found;
}

function nodesOf(value: Json | undefined): readonly Json[] {
  const nodes = at(value, "nodes");
  return isJsonList(nodes) ? nodes : [];
}

function texts(values: readonly (Json | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === "string"))];
}

/**
 * The maximum number of reviewers in one request. GitHub's API reference does not document this limit. See
 * zephyrproject-rtos/zephyr#118349, Mergifyio/mergify#1423, and "Request up to 15 reviewers" in the web interface.
 */
const maxPerRequest = 15;

type Asking = { readonly user: string } | { readonly team: string };

/**
 * Requests reviews from up to 15 reviewers at a time. If GitHub rejects a request, requests each reviewer separately, and returns
 * the rejected reviewers with the reasons. Throws `GithubError` for any other failure.
 */
export async function requestReviews(
  client: GithubClient,
  number: number,
  { users, teams }: Reviewers,
): Promise<readonly { readonly name: string; readonly why: string }[]> {
  const all: readonly Asking[] = [...users.map((user) => ({ user })), ...teams.map((team) => ({ team }))];
  const refused: { readonly name: string; readonly why: string }[] = [];
  for (const batch of chunks(all, maxPerRequest)) {
    if ((await ask(client, number, batch)) === undefined) continue;
    for (const one of batch) {
      const why = await ask(client, number, [one]);
      if (why !== undefined) refused.push({ name: "user" in one ? one.user : `team ${one.team}`, why });
    }
  }
  return refused;
}

/** Requests reviews. If GitHub rejects the request, returns the reason. */
async function ask(
  client: GithubClient,
  number: number,
  asking: readonly Asking[],
): Promise<string | undefined> {
  const purpose = { what: `request reviews for pull request #${number}`, needs: "pull-requests: write" };
  try {
    await client.send(purpose, "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers", {
      pull_number: number,
      reviewers: asking.flatMap((each) => ("user" in each ? [each.user] : [])),
      team_reviewers: asking.flatMap((each) => ("team" in each ? [each.team] : [])),
    });
    return undefined;
  } catch (error) {
    if (error instanceof GithubError && error.details.status === 422) return error.message;
    throw error;
  }
}

export interface CommitStatus {
  readonly context: string;
  readonly state: "success" | "failure";
  /** A description of at most 140 characters. */
  readonly description: string;
  readonly target_url?: string;
}

/** Sets a commit status, which replaces the previous status with the same context. Throws `GithubError`. */
export async function setStatus(client: GithubClient, sha: string, status: CommitStatus): Promise<void> {
  const purpose = { what: `set the status ${status.context} of ${sha}`, needs: "statuses: write" };
  await client.send(purpose, "POST /repos/{owner}/{repo}/statuses/{sha}", { sha, ...status });
}
