/** Keeps one GitHub issue about drift up to date: opens, updates and closes it, and comments on changes. */

import type { GithubClient } from "./client.ts";
import { addComment, commentsOf, type Post, postOf, type Thread } from "./comments.ts";
import { markerOf } from "./marker.ts";

/** The content of an issue about drift. */
interface DriftText {
  readonly title: string;
  readonly text: string;
  /** A digest that is the same for identical drift. `text` contains the digest. */
  readonly digest: string;
  /** Returns a description of the changes since an earlier version of the issue text. */
  changedSince(before: string): string;
}

/** The issue about drift in one catalog. */
export interface DriftIssue {
  /** A name that distinguishes issues if the repository has several catalogs. */
  readonly name: string;
  /** The login of the token's user or app. Issues by other authors are ignored, even if they begin with the marker. */
  readonly author: string;
  /** The label for a new issue. */
  readonly label?: string | undefined;
  /** The drift to report, or `undefined` if there is none. */
  readonly drift: DriftText | undefined;
  /** The comment to add when the issue is closed. */
  readonly closingText: string;
}

interface Issue extends Post {
  readonly number: number;
}

/** The action performed on the issue. */
export type DriftOutcome =
  | { readonly done: "opened" | "updated" | "unchanged" | "closed"; readonly url: string }
  | { readonly done: "no-drift" };

/** Opens, updates or closes the issue if it is out of date. Never reopens a closed issue. */
export async function syncDriftIssue(client: GithubClient, about: DriftIssue): Promise<DriftOutcome> {
  const { drift } = about;
  const issue = await findIssue(client, about);
  if (!issue) return drift ? await open(client, about, drift) : { done: "no-drift" };
  if (!drift) return await close(client, about, issue);
  if (issue.body.includes(drift.digest)) return { done: "unchanged", url: issue.url };
  await commentOnce(client, about, issue, { of: drift.digest, text: drift.changedSince(issue.body) });
  const { url } = await change(client, issue, { title: drift.title, body: bodyOf(about, drift) });
  return { done: "updated", url };
}

function bodyOf({ name }: DriftIssue, { text }: DriftText): string {
  return `${markerOf("drift", name)}\n${text.trimEnd()}`;
}

async function findIssue(client: GithubClient, { name, author }: DriftIssue): Promise<Issue | undefined> {
  // Issues are not filtered by label. Otherwise, every run would open a new issue after someone removes the label.
  const purpose = { what: "read the issues", needs: "issues: write" };
  const route = "GET /repos/{owner}/{repo}/issues";
  const entries = client.entries(purpose, route, { state: "open" }, (data) => data);
  const marker = markerOf("drift", name);
  for await (const entry of entries) {
    // GitHub's list of issues also contains pull requests.
    if (entry.pull_request) continue;
    const issue = issueOf(entry);
    if (issue.author === author && issue.body.startsWith(marker)) return issue;
  }
  return undefined;
}

async function open(client: GithubClient, about: DriftIssue, drift: DriftText): Promise<DriftOutcome> {
  const { label } = about;
  const labels = label === undefined ? {} : { labels: [label] };
  const { url } = await client.create(
    { what: "open an issue", needs: "issues: write" },
    "POST /repos/{owner}/{repo}/issues",
    { title: drift.title, body: bodyOf(about, drift), ...labels },
    { from: issueOf, find: () => findIssue(client, about) },
  );
  return { done: "opened", url };
}

async function close(client: GithubClient, about: DriftIssue, issue: Issue): Promise<DriftOutcome> {
  await commentOnce(client, about, issue, { of: "gone", text: about.closingText });
  const { url } = await change(client, issue, { state: "closed", state_reason: "completed" });
  return { done: "closed", url };
}

async function change(
  client: GithubClient,
  { number }: Issue,
  changed: {
    readonly title?: string;
    readonly body?: string;
    readonly state?: "closed";
    readonly state_reason?: "completed";
  },
): Promise<Issue> {
  const purpose = { what: `update issue #${number}`, needs: "issues: write" };
  const parameters = { issue_number: number, ...changed };
  return issueOf(await client.send(purpose, "PATCH /repos/{owner}/{repo}/issues/{issue_number}", parameters));
}

function issueOf(issue: Parameters<typeof postOf>[0] & { readonly number: number }): Issue {
  return { ...postOf(issue), number: issue.number };
}

/** A comment about one state of the drift. */
interface Note {
  readonly of: string;
  readonly text: string;
}

/** Adds a comment, unless an interrupted run has already added a comment about the same state. */
async function commentOnce(
  client: GithubClient,
  { name, author }: DriftIssue,
  { number }: Issue,
  { of, text }: Note,
): Promise<void> {
  const thread: Thread = { number, needs: "issues: write" };
  const marker = markerOf("drift-change", `${name} ${of}`);
  const find = async (): Promise<Post | undefined> => {
    let last: Post | undefined;
    for await (const comment of commentsOf(client, thread)) if (comment.author === author) last = comment;
    return last?.body.startsWith(marker) ? last : undefined;
  };
  if (!(await find())) await addComment(client, thread, `${marker}\n${text.trimEnd()}`, find);
}
