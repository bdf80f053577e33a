import type { GithubClient } from "./client.ts";
import { addComment, commentsOf, type Post, replaceComment, type Thread } from "./comments.ts";
import { GithubError } from "./failure.ts";

/** The one comment of a pull request that is written again with each run. */
export interface StickyComment {
  readonly thread: Thread;
  /** What its text begins with. */
  readonly marker: string;
  /** The login of the token: a comment of another author is not ours, whatever it begins with. */
  readonly author: string;
  /** The text after the marker. */
  readonly text: string;
  /** Whether the comment is made where there is none. */
  readonly isNeeded: boolean;
}

/** What became of a comment. */
export type StickyOutcome =
  | { readonly done: "created" | "updated" | "unchanged"; readonly url: string }
  | { readonly done: "not-needed" };

/** Brings the comment up to date. Sends nothing where it is as it should be, and makes a new one where it was deleted. */
export async function syncComment(client: GithubClient, sticky: StickyComment): Promise<StickyOutcome> {
  const { thread, marker, text, isNeeded } = sticky;
  const body = `${marker}\n${text.trimEnd()}`;
  const find = (): Promise<Post | undefined> => findComment(client, sticky);
  const found = await find();
  if (found && isSameText(found.body, body)) return { done: "unchanged", url: found.url };
  if (!found && !isNeeded) return { done: "not-needed" };
  const replaced = found && (await replace(client, thread, found, body));
  if (replaced) return { done: "updated", url: replaced.url };
  const { url } = await addComment(client, thread, body, find);
  return { done: "created", url };
}

async function findComment(
  client: GithubClient,
  { thread, marker, author }: StickyComment,
): Promise<Post | undefined> {
  for await (const comment of commentsOf(client, thread)) {
    if (comment.author === author && comment.body.startsWith(marker)) return comment;
  }
  return undefined;
}

/** Whether two texts are the same. GitHub may change ends of lines, and what is empty at the end. */
function isSameText(a: string, b: string): boolean {
  return a.replaceAll("\r\n", "\n").trimEnd() === b.trimEnd();
}

/** The comment with another text; nothing if it was deleted meanwhile. */
async function replace(
  client: GithubClient,
  thread: Thread,
  { id }: Post,
  body: string,
): Promise<Post | undefined> {
  try {
    return await replaceComment(client, thread, id, body);
  } catch (error) {
    if (error instanceof GithubError && error.details.status === 404) return undefined;
    throw error;
  }
}
