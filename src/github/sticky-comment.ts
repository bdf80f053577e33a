/** Keeps one comment on a pull request up to date. Each run creates or replaces the comment. */

import type { GithubClient } from "./client.ts";
import { addComment, commentsOf, type Post, replaceComment, type Thread } from "./comments.ts";

/** A pull request comment that each run creates or replaces. */
export interface StickyComment {
  readonly thread: Thread;
  /** The comment's first line. */
  readonly marker: string;
  /** The login of the token's user or app. Comments by other authors are ignored, even if they begin with the marker. */
  readonly author: string;
  /** The text after the marker. */
  readonly text: string;
  /** Whether to create the comment if it does not exist. */
  readonly isNeeded: boolean;
}

/** The action performed on the comment. */
export type StickyOutcome =
  | { readonly done: "created" | "updated" | "unchanged"; readonly url: string }
  | { readonly done: "not-needed" };

/**
 * Updates the comment. Changes nothing if the text is the same. Creates a new comment if the existing one is deleted during the
 * update.
 */
export async function syncComment(client: GithubClient, sticky: StickyComment): Promise<StickyOutcome> {
  const { thread, marker, text, isNeeded } = sticky;
  const body = `${marker}\n${text.trimEnd()}`;
  const find = (): Promise<Post | undefined> => findComment(client, sticky);
  const found = await find();
  if (found && isSameText(found.body, body)) return { done: "unchanged", url: found.url };
  if (!found && !isNeeded) return { done: "not-needed" };
  const replaced = found && (await replaceComment(client, thread, found, body));
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

/** Whether two texts are the same, ignoring line endings and trailing white space, which GitHub may change. */
function isSameText(a: string, b: string): boolean {
  return a.replaceAll("\r\n", "\n").trimEnd() === b.trimEnd();
}
