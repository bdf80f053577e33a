import { resolve } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
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

/**
 * The pull request of a number, or of the event that started the workflow. Throws `UsageError` where neither names one.
 */
export function pullRequestOf(number: number | undefined, io: Io): PullRequest {
  const event = eventIn(io, number !== undefined);
  const pull = isJsonObject(event["pull_request"]) ? event["pull_request"] : undefined;
  const own = numberIn(pull) ?? (pullOfIssue(event) && numberIn(pullOfIssue(event)));
  const asked = number ?? own;
  if (asked === undefined)
    throw new UsageError(
      "the event in GITHUB_EVENT_PATH is not one of a pull request; name one with --pull-request",
    );
  const { head, user } = (asked === own ? (pull ?? pullOfIssue(event)) : undefined) ?? {};
  const sha = textIn(head, "sha");
  return { number: asked, head: sha ?? (io.env["GITHUB_SHA"] || undefined), author: textIn(user, "login") };
}

/** A comment on a pull request is an event of an issue that has one. */
function pullOfIssue({ issue }: JsonObject): JsonObject | undefined {
  return isJsonObject(issue) && isJsonObject(issue["pull_request"]) ? issue : undefined;
}

function textIn(of: Json | undefined, key: string): string | undefined {
  const text = isJsonObject(of) ? of[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

function numberIn(of: JsonObject | undefined): number | undefined {
  const number = of?.["number"];
  return typeof number === "number" ? number : undefined;
}

function eventIn({ env, cwd }: Io, isOptional: boolean): JsonObject {
  const path = env["GITHUB_EVENT_PATH"]?.trim() ?? "";
  if (path === "") {
    if (isOptional) return {};
    throw new UsageError("GITHUB_EVENT_PATH is not set; name a pull request with --pull-request");
  }
  try {
    const event = JSON.parse(readRegularFile(resolve(cwd, path)).toString("utf8")) as Json;
    return isJsonObject(event) ? event : {};
  } catch (error) {
    if (isOptional) return {};
    throw new UsageError(`cannot read the event in GITHUB_EVENT_PATH: ${errorMessage(error)}`);
  }
}
