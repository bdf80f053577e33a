import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FakeGithub, githubToken } from "../support/github.ts";
import type { Contexts } from "./expressions.ts";
import { type Job, project } from "./files.ts";

/** What sets off a workflow, and what is set in the repository on GitHub. */
export interface Event {
  readonly github: FakeGithub;
  /** The repository that `origin` is. */
  readonly repository: string;
  readonly ref: string;
  readonly eventName: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** The secrets of the environment `datahub`: they win in its jobs. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The number of the pull request, and whether it is from a fork. */
  readonly pullRequest?: number;
  readonly isFork?: boolean;
  /** Who started it. */
  readonly actor?: string;
  /** Whether the branch counts as `main`. */
  readonly isMain?: boolean;
  /** What happens when a run has been approved. */
  readonly onApproved?: () => Promise<void> | void;
  /** The commit that a merge queue merges into. */
  readonly mergeQueueBase?: string;
}

/** What expressions in a job can ask for. */
export function contextsOf(event: Event, { environment }: Job): Contexts {
  const { vars = {}, secrets = {}, environment: own = {}, inputs = {}, eventName, ref, isFork } = event;
  const { actor = "alice", mergeQueueBase } = event;
  const head = { repo: { full_name: isFork === true ? "mallory/data" : repositoryOf(event) } };
  return {
    vars,
    secrets: isEditing(environment) ? { ...secrets, ...own } : secrets,
    inputs,
    github: {
      event_name: eventName,
      ref: `refs/heads/${event.isMain === true ? "main" : ref}`,
      repository: repositoryOf(event),
      server_url: "https://github.com",
      token: githubToken,
      actor,
      event: {
        ...(event.pullRequest !== undefined && { pull_request: { number: event.pullRequest, head } }),
        ...(mergeQueueBase !== undefined && { merge_group: { base_sha: mergeQueueBase } }),
      },
    },
  };
}

// The environment of the reviewers has no secrets.
function isEditing(environment: string | undefined): boolean {
  return environment !== undefined && !environment.endsWith("-approval");
}

function repositoryOf({ github }: Event): string {
  return github.env["GITHUB_REPOSITORY"] ?? "";
}

/** The environment of each step: nothing of this machine's but the path. */
export function runnerEnvironment(directory: string, bin: string, event: Event): Record<string, string> {
  const payload = join(directory, "event.json");
  const pull = { number: event.pullRequest, head: { sha: "", ref: event.ref } };
  writeFileSync(
    payload,
    JSON.stringify(event.pullRequest === undefined ? {} : { ...pull, pull_request: pull }),
  );
  const { GITHUB_TOKEN: _, ...github } = event.github.env;
  return {
    ...github,
    PATH: `${bin}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: directory,
    CI: "true",
    RUNNER_TEMP: join(directory, "temporary"),
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: project,
    GITHUB_BASE_REF: event.pullRequest === undefined ? "" : "main",
    GITHUB_EVENT_NAME: event.eventName,
    GITHUB_EVENT_PATH: payload,
    GITHUB_REF_NAME: event.ref,
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_WORKSPACE: join(directory, "clone"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
}
