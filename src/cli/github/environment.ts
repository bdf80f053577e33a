/** Reads the environment variables of a GitHub workflow, creates a client for its repository, and builds links to its run. */

import { fetchOver } from "../../datahub/connection.ts";
import { dispatcherFor } from "../../datahub/http/dispatcher.ts";
import { createGithubClient, type GithubClient } from "../../github/client.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";

/** Hints to show if a variable is missing. */
const hints = {
  GITHUB_TOKEN: "in a workflow, set it to ${{ github.token }}",
  GITHUB_REPOSITORY: "set it to OWNER/NAME, as GitHub Actions does",
  GITHUB_SHA: "set it to the pushed commit, as GitHub Actions does",
  GITHUB_REF_NAME: "set it to the pushed branch, as GitHub Actions does",
  GITHUB_RUN_ID: "set it to the run id, as GitHub Actions does",
  GITHUB_EVENT_PATH: "specify a pull request with --pull-request",
};

type Variable = keyof typeof hints;

/** Returns the value of a variable. Throws `UsageError` if the variable is not set. */
export function required(name: Variable, io: Io): string {
  requireAll([name], io);
  return io.env[name]?.trim() ?? "";
}

function requireAll(names: readonly Variable[], { env }: Io): void {
  const missing = names.filter((name) => (env[name]?.trim() ?? "") === "");
  if (missing.length === 0) return;
  throw new UsageError(missing.map((name) => `${name} is not set; ${hints[name]}`).join(". "));
}

/**
 * Creates a client for the workflow's repository, without sending a request. Throws `UsageError` if a required environment
 * variable is missing. The variables in `needed` are required in addition to those that the client always requires.
 */
export async function openGithub(io: Io, needed: readonly Variable[] = []): Promise<GithubClient> {
  requireAll(["GITHUB_TOKEN", "GITHUB_REPOSITORY", ...needed], io);
  const token = required("GITHUB_TOKEN", io);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError("GITHUB_TOKEN contains white space or invalid characters");
  const [owner = "", repo = "", ...more] = required("GITHUB_REPOSITORY", io).split("/");
  if (owner === "" || repo === "" || more.length > 0)
    throw new UsageError("GITHUB_REPOSITORY must be OWNER/NAME");
  return createGithubClient({
    repository: { owner, repo },
    api: apiAddress(io),
    token,
    fetch: await fetchThroughProxies(io),
    signal: io.interrupted,
    retryDelay: io.retryDelay,
    onRetry: (text) => note(text, io),
  });
}

function apiAddress({ env }: Io): string {
  const text = env["GITHUB_API_URL"]?.trim() || "https://api.github.com";
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = address?.username === "" && address.password === "" && address.search === "";
  if (!address || !isPlain || !/^https?:$/.test(address.protocol))
    throw new UsageError("GITHUB_API_URL is not a URL such as https://api.github.com");
  return text.replace(/\/+$/, "");
}

async function fetchThroughProxies({ env }: Io): Promise<typeof fetch> {
  // The client certificate must be sent only to DataHub.
  const { DATAHUB_CLIENT_CERT_PATH: _, DATAHUB_CLIENT_KEY_PATH: __, ...own } = env;
  const dispatcher = await dispatcherFor(own);
  if (dispatcher && "fault" in dispatcher) throw new UsageError(dispatcher.fault);
  return fetchOver({ dispatcher, endpoint: { address: "GitHub" } });
}

/** Returns the URL of the workflow run, if the environment variables identify a run. */
export function runAddress({ env }: Io): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}

/** Returns the URL of the page for starting the workflow manually, if the environment variables identify a workflow. */
export function workflowAddress({ env }: Io): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_WORKFLOW_REF: ref = "" } = env;
  const file = /\.github\/workflows\/([^/@]+)@/.exec(ref)?.[1];
  if (!server || !repository || file === undefined) return undefined;
  return `${server}/${repository}/actions/workflows/${encodeURIComponent(file)}`;
}
