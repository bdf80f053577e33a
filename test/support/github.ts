import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { askedFor, type FakeReviews, reviewsJson, type Wanted } from "./github-reviews.ts";

/** A comment, or an issue with its number as id. */
interface FakePost {
  readonly id: number;
  /** The issue or pull request that a comment is of. */
  readonly of?: number;
  readonly author: string;
  body: string;
  title?: string;
  state?: "open" | "closed";
  readonly labels?: readonly string[];
}

/** What a run uploaded. */
export interface FakeArtifact {
  readonly name: string;
  readonly sha: string;
  readonly branch: string;
  readonly archive: Buffer;
  readonly createdAt?: string;
  readonly isExpired?: boolean;
  readonly isFromFork?: boolean;
  /** What GitHub says of the run. */
  readonly run?: FakeRun;
}

/** A run of a workflow. */
interface FakeRun {
  readonly event?: string;
  readonly file?: string;
  readonly createdAt?: string;
}

/** A pull request. */
interface FakePull {
  readonly number: number;
  /** The last commit of its branch. */
  readonly head: string;
  readonly branch?: string;
  /** The commit that merged it, where it was merged. */
  readonly merge?: string;
  readonly base?: string;
  /** When its base was changed. */
  readonly baseChanges?: readonly string[];
  readonly title?: string;
}

/** A status of a commit. */
interface FakeStatus {
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string;
}

/** What somebody said of a run that waited for an approval. */
interface FakeApproval {
  readonly state: "approved" | "rejected";
  readonly login: string;
}

/** A request that was sent. */
interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** How a request fails. With `after` it is done, and its answer is lost. */
interface FakeFailure {
  readonly method: string;
  readonly path: RegExp;
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly after?: true;
}

/** A GitHub in memory, with one repository: acme/data. */
export interface FakeGithub {
  /** The address of its API, and that of the storage to which it redirects downloads. */
  readonly url: string;
  readonly storage: string;
  readonly env: Readonly<Record<string, string>>;
  readonly comments: FakePost[];
  readonly issues: FakePost[];
  readonly artifacts: FakeArtifact[];
  readonly pulls: FakePull[];
  /** The reviews of the run of `GITHUB_RUN_ID` for its environments. */
  readonly approvals: FakeApproval[];
  readonly reviews: FakeReviews;
  readonly statuses: FakeStatus[];
  readonly requests: FakeRequest[];
  /** Requests that fail, each once, in this order. */
  readonly failures: FakeFailure[];
  /** The requests that write, as `METHOD path`. */
  readonly writes: () => readonly string[];
  close(): Promise<void>;
}

/** The token that tests use. */
export const githubToken = "ghs_s3cr3t-t0ken";

/** Who a workflow's token is. */
export const bot = "github-actions[bot]";

interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const repository = "/repos/acme/data";
const pageSize = 100;

/** Starts a GitHub. It ends with the test. */
export async function startGithub(): Promise<FakeGithub> {
  const held: Pick<
    FakeGithub,
    | "comments"
    | "issues"
    | "artifacts"
    | "pulls"
    | "approvals"
    | "reviews"
    | "statuses"
    | "requests"
    | "failures"
  > = {
    comments: [],
    issues: [],
    artifacts: [],
    pulls: [],
    approvals: [],
    reviews: { author: "author", asked: [], reviews: [], refused: [] },
    statuses: [],
    requests: [],
    failures: [],
  };
  const storage = await listening((request, response) => {
    const path = request.url ?? "";
    const { authorization } = request.headers;
    held.requests.push({ method: "GET", path: `storage${path}`, authorization, body: undefined });
    const failure = failureFor(held.failures, "GET", `storage${path}`);
    if (failure) return void response.writeHead(failure.status ?? 500).end();
    return void response.end(held.artifacts[Number(path.slice(1)) - 1]?.archive);
  });
  const api = await listening((request, response) => void respond(request, response));
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path, body] = [request.url ?? "", await bodyOf(request)];
    const { method = "" } = request;
    held.requests.push({ method, path, authorization: request.headers.authorization, body });
    const failure = failureFor(held.failures, method, path);
    if (failure && failure.after === undefined && failure.status === undefined)
      return void response.destroy();
    if (failure?.status !== undefined && failure.after === undefined) {
      response.writeHead(failure.status, { "content-type": "application/json", ...failure.headers });
      return void response.end(JSON.stringify({ message: failure.message ?? "it failed" }));
    }
    const { status, data, headers } = answerTo({ method, path, body }, held, {
      api: api.url,
      storage: storage.url,
    });
    if (failure) return void response.destroy();
    response.writeHead(status, { "content-type": "application/json", ...headers });
    return void response.end(data === undefined ? "" : JSON.stringify(data));
  };
  const close = async (): Promise<void> => {
    await Promise.all([api.close(), storage.close()]);
  };
  onTestFinished(close);
  return {
    ...held,
    url: api.url,
    storage: storage.url,
    env: {
      GITHUB_TOKEN: githubToken,
      GITHUB_REPOSITORY: "acme/data",
      GITHUB_API_URL: api.url,
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_RUN_ID: "77",
      GITHUB_REF_NAME: "main",
    },
    writes: () =>
      held.requests
        .filter(({ method, path }) => method !== "GET" && path !== "/graphql")
        .map(({ method, path }) => `${method} ${path.replace(repository, "")}`),
    close,
  };
}

function failureFor(failures: FakeFailure[], method: string, path: string): FakeFailure | undefined {
  const at = failures.findIndex((each) => each.method === method && each.path.test(path));
  return at < 0 ? undefined : failures.splice(at, 1)[0];
}

type Held = Pick<
  FakeGithub,
  "comments" | "issues" | "artifacts" | "pulls" | "approvals" | "reviews" | "statuses"
>;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

function answerTo({ method, path, body }: Asked, held: Held, at: { api: string; storage: string }): Answer {
  const { pathname, searchParams } = new URL(path, at.api);
  const route = `${method} ${pathname.replace(repository, "")}`;
  const list = (all: readonly unknown[], name?: string): Answer => pageOf(all, searchParams, name);
  const written = body as Partial<Record<"body" | "title" | "state", string>>;
  if (route === "POST /graphql") {
    const isOfReviews = (body as { query: string }).query.includes("pullRequest");
    return {
      status: 200,
      data: { data: isOfReviews ? reviewsJson(held.reviews) : { viewer: { login: bot } } },
    };
  }
  if (route === "POST /pulls/12/requested_reviewers") return askedFor(held.reviews, body as Wanted);
  const [, sha] = /^POST \/statuses\/(\w+)$/.exec(route) ?? [];
  if (sha !== undefined) {
    held.statuses.push({ sha, ...(body as Omit<FakeStatus, "sha">) });
    return { status: 201, data: {} };
  }
  if (route === "GET ") return { status: 200, data: { default_branch: "main" } };
  if (route === "GET /issues")
    return list(held.issues.filter(({ state }) => state === "open").map(issueJson));
  if (route === "POST /issues") {
    const id = held.issues.length + 101;
    const issue: FakePost = { id, author: bot, body: "", ...(written as Partial<FakePost>), state: "open" };
    held.issues.push(issue);
    return { status: 201, data: issueJson(issue) };
  }
  if (route === "GET /actions/artifacts") {
    const named = held.artifacts.filter(({ name }) => name === searchParams.get("name"));
    const all = named.map((each) => artifactJson(each, held.artifacts.indexOf(each) + 1));
    return list(all, "artifacts");
  }
  if (route === "POST /pulls") {
    const pull = { number: held.pulls.length + 201, ...(body as Omit<FakePull, "number">) };
    held.pulls.push(pull);
    return { status: 201, data: { html_url: `https://github.com/acme/data/pull/${pull.number}` } };
  }
  const [, thread] = /^\w+ \/issues\/(\d+)\/comments$/.exec(route) ?? [];
  if (thread !== undefined && method === "GET")
    return list(held.comments.filter((each) => each.of === Number(thread)).map(commentJson));
  if (thread !== undefined) {
    const id = Math.max(900, ...held.comments.map((each) => each.id)) + 1;
    const comment = { id, of: Number(thread), author: bot, body: written.body ?? "" };
    held.comments.push(comment);
    return { status: 201, data: commentJson(comment) };
  }
  const [, comment] = /^PATCH \/issues\/comments\/(\d+)$/.exec(route) ?? [];
  if (comment !== undefined) return patched(held.comments, Number(comment), written, commentJson);
  const [, issue] = /^PATCH \/issues\/(\d+)$/.exec(route) ?? [];
  if (issue !== undefined) return patched(held.issues, Number(issue), written, issueJson);
  const [, commit] = /^GET \/commits\/(\w+)\/pulls$/.exec(route) ?? [];
  if (commit !== undefined) return list(held.pulls.filter((each) => holds(each, commit)).map(pullJson));
  if (route === "GET /pulls") {
    const of = searchParams.get("head");
    return list(held.pulls.filter((each) => `acme:${branchOf(each)}` === of).map(pullJson));
  }
  const [, events] = /^GET \/issues\/(\d+)\/events$/.exec(route) ?? [];
  if (events !== undefined) return list(eventsOf(held.pulls.find((each) => each.number === Number(events))));
  if (route === "GET /actions/runs/77/approvals")
    return { status: 200, data: held.approvals.map(({ state, login }) => ({ state, user: { login } })) };
  const [, run] = /^GET \/actions\/runs\/(\d+)$/.exec(route) ?? [];
  if (run !== undefined) return { status: 200, data: runJson(held.artifacts[Number(run) - firstRun]) };
  const [, zip] = /^GET \/actions\/artifacts\/(\d+)\/zip$/.exec(route) ?? [];
  if (zip !== undefined) return { status: 302, headers: { location: `${at.storage}/${zip}` } };
  return { status: 404, data: { message: "Not Found" } };
}

function patched(posts: FakePost[], id: number, written: object, json: (post: FakePost) => object): Answer {
  const post = posts.find((each) => each.id === id);
  if (!post) return { status: 404, data: { message: "Not Found" } };
  return { status: 200, data: json(Object.assign(post, written)) };
}

function pageOf(all: readonly unknown[], asked: URLSearchParams, name?: string): Answer {
  const [page, size] = [Number(asked.get("page") ?? 1), Number(asked.get("per_page") ?? pageSize)];
  const data = all.slice((page - 1) * size, page * size);
  const headers = page * size < all.length ? { link: '<https://elsewhere.example>; rel="next"' } : {};
  return {
    status: 200,
    headers,
    data: name === undefined ? data : { total_count: all.length, [name]: data },
  };
}

function holds({ head, merge }: FakePull, commit: string): boolean {
  return head === commit || merge === commit;
}

function commentJson({ id, of, author, body }: FakePost): object {
  const url = `https://github.com/acme/data/pull/${of}#issuecomment-${id}`;
  return { id, body, html_url: url, user: { login: author } };
}

function issueJson({ id, author, body, title, state }: FakePost): object {
  const url = `https://github.com/acme/data/issues/${id}`;
  return { number: id, title, body, state, html_url: url, user: { login: author } };
}

function pullJson(pull: FakePull): object {
  const { number, head, merge, base = "main" } = pull;
  const merged = merge === undefined ? null : "2026-01-02T00:00:00Z";
  const ends = { head: { sha: head, ref: branchOf(pull) }, base: { ref: base } };
  return { number, merged_at: merged, merge_commit_sha: merge ?? null, ...ends };
}

// One that a workflow opens is known by its branch alone.
function branchOf({ branch, head }: FakePull): string {
  return branch ?? head;
}

function eventsOf(pull: FakePull | undefined): readonly object[] {
  const changes = pull?.baseChanges ?? [];
  return [
    { event: "labeled", created_at: "2026-12-31T00:00:00Z" },
    ...changes.map((at) => ({ event: "base_ref_changed", created_at: at })),
  ];
}

/** The id of the run of the first artifact: no artifact has it. */
const firstRun = 1_000_000;

function runJson({ run = {} }: Partial<FakeArtifact> = {}): object {
  const { event = "pull_request", file = "plan.yml", createdAt = "2026-01-01T00:00:00Z" } = run;
  return { event, path: `.github/workflows/${file}@main`, created_at: createdAt };
}

function artifactJson(artifact: FakeArtifact, id: number): object {
  const { name, sha, branch, createdAt = "2026-01-01T00:00:00Z", isExpired = false } = artifact;
  const run = {
    id: firstRun + id - 1,
    repository_id: 7,
    head_repository_id: artifact.isFromFork ? 8 : 7,
    head_branch: branch,
    head_sha: sha,
  };
  return { id, name, expired: isExpired, created_at: createdAt, workflow_run: run };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

async function listening(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}
