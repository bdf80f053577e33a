import type { GithubClient } from "./client.ts";
import type { Asked } from "./failure.ts";
import { commentIn, type GithubRepository, pathOf, type Post } from "./objects.ts";

/** The issue or pull request whose comments are meant, and what the token needs to write them. */
export interface Thread {
  readonly repository: GithubRepository;
  readonly number: number;
  readonly needs: "issues: write" | "pull-requests: write";
}

/** The comments of an issue or a pull request, the oldest first. */
export async function* commentsOf(client: GithubClient, thread: Thread): AsyncGenerator<Post> {
  const path = `${pathOf(thread.repository)}/issues/${thread.number}/comments`;
  const request = { path, ...asked("read the comments of", thread) };
  for await (const entry of client.entries(request)) yield commentIn(entry);
}

/** Writes a comment. Where its answer is lost, `find` looks for it before it is written again. */
export async function addComment(
  client: GithubClient,
  thread: Thread,
  body: string,
  find: () => Promise<Post | undefined>,
): Promise<Post> {
  const path = `${pathOf(thread.repository)}/issues/${thread.number}/comments`;
  const request = { path, body: { body }, ...asked("comment on", thread) };
  return await client.create(request, { read: commentIn, find });
}

/** Replaces the text of a comment. */
export async function replaceComment(
  client: GithubClient,
  thread: Thread,
  id: number,
  body: string,
): Promise<Post> {
  const path = `${pathOf(thread.repository)}/issues/comments/${id}`;
  const request = { method: "PATCH", path, body: { body }, ...asked("update a comment of", thread) } as const;
  return commentIn((await client.send(request)).data);
}

function asked(doing: string, { number, needs }: Thread): Asked {
  const thread = needs === "issues: write" ? "issue" : "pull request";
  return { what: `${doing} ${thread} #${number}`, needs };
}
