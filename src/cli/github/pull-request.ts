import { resolve } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

/** The pull request that a run is about. */
export interface PullRequest {
  readonly number: number;
  /** The last commit of its branch, where it is known. */
  readonly head?: string | undefined;
  /** Who opened it, where it is known. */
  readonly author?: string | undefined;
}

/** The part of the event that started a workflow that is about a pull request. */
interface Event {
  readonly pull_request?: Opened;
  /** A comment on a pull request is an event of an issue that has one. */
  readonly issue?: Opened & { readonly pull_request?: object };
}

interface Opened {
  readonly number?: number;
  readonly head?: { readonly sha?: string };
  readonly user?: { readonly login?: string } | null;
}

/**
 * The pull request of a number, or of the event that started the workflow. Throws `UsageError` where neither names one.
 */
export function pullRequestOf(number: number | undefined, io: Io): PullRequest {
  const { pull_request: pull, issue } = eventIn(io, number !== undefined);
  const own = pull ?? (issue?.pull_request && issue);
  const asked = number ?? own?.number;
  if (asked === undefined)
    throw new UsageError(
      "the event in GITHUB_EVENT_PATH is not one of a pull request; name one with --pull-request",
    );
  const known = asked === own?.number ? own : undefined;
  const head = known?.head?.sha ?? (io.env["GITHUB_SHA"] || undefined);
  return { number: asked, head, author: known?.user?.login };
}

function eventIn({ env, cwd }: Io, isOptional: boolean): Event {
  const path = env["GITHUB_EVENT_PATH"]?.trim() ?? "";
  if (path === "") {
    if (isOptional) return {};
    throw new UsageError("GITHUB_EVENT_PATH is not set; name a pull request with --pull-request");
  }
  try {
    return (JSON.parse(readRegularFile(resolve(cwd, path)).toString("utf8")) as Event | null) ?? {};
  } catch (error) {
    if (isOptional) return {};
    throw new UsageError(`cannot read the event in GITHUB_EVENT_PATH: ${errorMessage(error)}`);
  }
}
