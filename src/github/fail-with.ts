import { RequestError } from "@octokit/request-error";
import { isJsonObject } from "../model/json.ts";
import { errorCode, errorMessage } from "../model/text/error-text.ts";
import type { GithubConnection } from "./connection.ts";
import { type Asked, GithubError, refusal } from "./failure.ts";
import { textIn } from "./objects.ts";

/** Throws what a request failed with as `GithubError`, or the reason of the signal. */
export function failWith(connection: GithubConnection, asked: Asked): (error: unknown) => never {
  return (error) => {
    connection.signal?.throwIfAborted();
    throw error instanceof GithubError ? error : githubErrorOf(error, connection, asked);
  };
}

function githubErrorOf(error: unknown, { token }: GithubConnection, asked: Asked): GithubError {
  const said = onOneLine(reasonOf(error).replaceAll(token, "***"));
  if (error instanceof RequestError && error.response) {
    const { status, headers } = error.response;
    return refusal({ status, headers, said }, asked, Date.now());
  }
  // `@octokit/core` does not export its class.
  if (error instanceof Error && error.name === "GraphqlResponseError")
    return new GithubError("answer", `GitHub answered with an error (${said}): cannot ${asked.what}`);
  return new GithubError("unreachable", `cannot reach GitHub to ${asked.what}: ${said}`, { isLost: true });
}

// Octokit and Node's fetch wrap the reason: "fetch failed" alone helps nobody.
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  const answer: unknown = error instanceof RequestError ? error.response?.data : undefined;
  const said = isJsonObject(answer) ? textIn(answer["message"]) : "";
  return said || errorMessage(error) || errorCode(error) || "unknown reason";
}

const longestSaid = 300;

function onOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim().slice(0, longestSaid);
  return line.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}
