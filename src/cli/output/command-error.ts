/** Converts library errors into command line errors, whose messages refer to flags. */

import { ConnectionError } from "../../datahub/connection.ts";
import { messageOf } from "../../report/document/problems.ts";
import { ScopeError, type ScopeFailure } from "../../workflow/scope/errors.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import { RunError, UsageError } from "../errors.ts";
import { flagsText } from "./flags-text.ts";

/**
 * Converts a `ScopeError` or `ConnectionError` into a command line error. Returns any other error unchanged. `environmentOption`
 * is the command's flag that selects an environment in the settings.
 */
export function asCommandError(error: unknown, environmentOption = "--env"): unknown {
  if (error instanceof ConnectionError) return connectionFailure(error);
  if (!(error instanceof ScopeError)) return error;
  const { failure } = error;
  const isOutside = failure.code === "unknown-base" || failure.code === "unknown-changes";
  return isOutside
    ? new RunError(textOf(failure, environmentOption), failure.code)
    : new UsageError(textOf(failure, environmentOption));
}

function connectionFailure({ failure, message, file }: ConnectionError): Error {
  if (failure === "unreadable-file") return new RunError(message, failure);
  const hint = "use --server <url>, set DATAHUB_GMS_URL, or use --local for a local catalog";
  if (failure === "no-server") return new UsageError(`no server given; ${hint}`);
  if (failure !== "implicit-server") return new UsageError(message);
  return new UsageError(
    `no server given: commands that write do not read the server URL from ${file}; ${hint}`,
  );
}

function olderText(commits: number): string {
  const since = commits === 1 ? "1 commit has been" : `${commits} commits have been`;
  return `this commit is older than the last applied commit; ${since} applied since. Nothing was sent. Check out a newer commit, or use --allow-older-commit to revert the newer changes`;
}

function textOf(failure: ScopeFailure, environmentOption: string): string {
  if (failure.code === "unknown-base") return messageOf(failure.problem);
  if (failure.code === "unknown-changes") return `--changed-since: ${messageOf(failure.problem)}`;
  if (failure.code === "inside-catalog") {
    const { directory, catalog } = failure;
    return `"${directory}" is inside the catalog "${catalog}", which has settings; use "${catalog}" as the directory, and select part of it with --target`;
  }
  if (failure.code === "shard-of-part") {
    return `--shard and --${failure.by} cannot be used together, because changes may need new entities from a different shard; use only one of them`;
  }
  if (failure.code === "environment-needed")
    return `the settings have environments; use ${environmentOption} with one of ${failure.names.join(", ")}`;
  if (failure.code === "no-environments")
    return `${environmentOption} ${failure.environment}: the settings have no \`environments\`; remove ${environmentOption}, or add \`environments\` to the settings`;
  if (failure.code === "unknown-environment") {
    const { environment, names } = failure;
    const meant = nearestSpelling(environment, names);
    const hint = meant === undefined ? `use one of ${names.join(", ")}` : `did you mean ${meant}?`;
    return `${environmentOption} ${environment}: the settings have no such environment; ${hint}`;
  }
  if (failure.code === "unknown-rule") {
    const meant = nearestSpelling(failure.rule, failure.known);
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    return `--rule ${failure.rule}: no manifest declares a rule with this id${hint}`;
  }
  if (failure.code === "excludes-nothing")
    return `no declared entity is excluded by ${flagsText({ exclude: failure.patterns })}${patternHint}`;
  if (failure.code === "no-match") {
    const { targets, excluded, kinds, platforms, domains } = failure;
    const flags = flagsText({
      target: targets,
      exclude: excluded,
      kind: kinds,
      platform: platforms,
      domain: domains,
    });
    const hint = (targets ?? excluded) ? patternHint : "";
    const meant = failure.suggestion === undefined ? "" : `; did you mean ${failure.suggestion}?`;
    return `no declared entity matches ${flags}${hint}${meant}`;
  }
  if (failure.code === "older-commit") return olderText(failure.count);
  return failure.code === "other-server"
    ? `the settings allow only the server ${failure.pinned}, but the target is ${failure.server}; nothing was sent. Use the allowed server, change \`server\` in the settings, or use different settings with --settings`
    : "--prune needs a base to determine what was declared before; use --base <ref> or set `base` in the settings";
}

const patternHint =
  "; a pattern must match the full URN, name or id, such as urn:li:tag:pii or pii, and `*` matches any text";
