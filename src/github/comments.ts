/** Reads, adds and replaces comments on issues and pull requests. */

import type { GithubClient } from "./client.ts";
import { GithubError, type Purpose } from "./failure.ts";

/** An issue or a comment. */
export interface Post {
  readonly id: number | bigint;
  readonly author: string | undefined;
  readonly body: string;
  /** The URL of the page that shows the post. */
  readonly url: string;
}

/** An issue or pull request, and the permission that the token needs to comment on it. */
export interface Thread {
  readonly number: number;
  readonly needs: "issues: write" | "pull-requests: write";
}

/** Yields the comments on an issue or pull request, oldest first. */
export async function* commentsOf(client: GithubClient, thread: Thread): AsyncGenerator<Post> {
  const entries = client.entries(
    purposeOf("read the comments on", thread),
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    { issue_number: thread.number },
    (data) => data,
  );
  for await (const comment of entries) yield postOf(comment);
}

/** Adds a comment. If the response is lost, `find` checks for the comment before the next attempt. */
export async function addComment(
  client: GithubClient,
  thread: Thread,
  body: string,
  find: () => Promise<Post | undefined>,
): Promise<Post> {
  return await client.create(
    purposeOf("comment on", thread),
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    { issue_number: thread.number, body },
    { from: postOf, find },
  );
}

/** Replaces the text of a comment. Returns `undefined` if someone has just deleted the comment. */
export async function replaceComment(
  client: GithubClient,
  thread: Thread,
  { id }: Post,
  body: string,
): Promise<Post | undefined> {
  const route = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";
  const parameters = { comment_id: id, body };
  try {
    return postOf(await client.send(purposeOf("update a comment on", thread), route, parameters));
  } catch (error) {
    if (error instanceof GithubError && error.details.status === 404) return undefined;
    throw error;
  }
}

/** A comment or issue as returned by GitHub. */
interface Answered {
  readonly id: Post["id"];
  readonly body?: string | null | undefined;
  readonly html_url: string;
  /** The author, or `null` if the account was deleted. */
  readonly user: { readonly login: string } | null;
}

/** Converts a comment or issue returned by GitHub into a post. */
export function postOf({ id, body, html_url: url, user }: Answered): Post {
  return { id, url, author: user?.login, body: body ?? "" };
}

function purposeOf(doing: string, { number, needs }: Thread): Purpose {
  const thread = needs === "issues: write" ? "issue" : "pull request";
  return { what: `${doing} ${thread} #${number}`, needs };
}
