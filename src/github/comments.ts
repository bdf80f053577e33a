import type { GithubClient, GithubRepository } from "./client.ts";
import type { Asked } from "./failure.ts";

/** An issue, or a comment of one: a text that this program writes. */
export interface Post {
  readonly id: number | bigint;
  readonly author: string | undefined;
  readonly body: string;
  /** Its page. */
  readonly url: string;
}

/** The issue or pull request whose comments are meant, and what the token needs to write them. */
export interface Thread extends GithubRepository {
  readonly number: number;
  readonly needs: "issues: write" | "pull-requests: write";
}

/** The comments of an issue or a pull request, the oldest first. */
export async function* commentsOf(client: GithubClient, thread: Thread): AsyncGenerator<Post> {
  const entries = client.entries(asked("read the comments of", thread), (send, page) =>
    send("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", { ...target(thread), ...page }),
  );
  for await (const comment of entries) yield postOf(comment);
}

/** Writes a comment. Where its answer is lost, `find` looks for it before it is written again. */
export async function addComment(
  client: GithubClient,
  thread: Thread,
  body: string,
  find: () => Promise<Post | undefined>,
): Promise<Post> {
  const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
  return await client.create(
    asked("comment on", thread),
    async (send) => postOf((await send(route, { ...target(thread), body })).data),
    find,
  );
}

/** Replaces the text of a comment. */
export async function replaceComment(
  client: GithubClient,
  thread: Thread,
  id: Post["id"],
  body: string,
): Promise<Post> {
  const { owner, repo } = thread;
  const { data } = await client.send(asked("update a comment of", thread), (send) =>
    send("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { owner, repo, comment_id: id, body }),
  );
  return postOf(data);
}

/** A comment or an issue as GitHub answers it. */
interface Answered {
  readonly id: Post["id"];
  readonly body?: string | null | undefined;
  readonly html_url: string;
  /** Who has left has none. */
  readonly user: { readonly login: string } | null;
}

/** A post as GitHub answers it. */
export function postOf({ id, body, html_url: url, user }: Answered): Post {
  return { id, url, author: user?.login, body: body ?? "" };
}

function target({ owner, repo, number }: Thread) {
  return { owner, repo, issue_number: number };
}

function asked(doing: string, { number, needs }: Thread): Asked {
  const thread = needs === "issues: write" ? "issue" : "pull request";
  return { what: `${doing} ${thread} #${number}`, needs };
}
