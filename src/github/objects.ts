import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { GithubError } from "./failure.ts";

/** The repository that is asked about. */
export interface GithubRepository {
  readonly owner: string;
  readonly name: string;
}

/** The path of a repository below the address of the API. */
export function pathOf({ owner, name }: GithubRepository): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

/** An issue, or a comment of one: the texts that this program writes. */
export interface Post {
  /** The id of a comment, the number of an issue. */
  readonly id: number;
  readonly author: string;
  readonly body: string;
  /** Its page. */
  readonly url: string;
}

/** A comment as GitHub answers it. Throws `GithubError` for anything else. */
export function commentIn(data: Json): Post {
  return postIn(data, "id");
}

/** An issue as GitHub answers it. Throws `GithubError` for anything else. */
export function issueIn(data: Json): Post {
  return postIn(data, "number");
}

function postIn(data: Json, idField: "id" | "number"): Post {
  const post = objectIn(data, "a comment or an issue");
  const { [idField]: id, body, user, html_url: url } = post;
  if (typeof id !== "number" || typeof url !== "string") throw unexpected("a comment or an issue");
  // Who has left has no user, and an empty text may be null.
  const { login } = isJsonObject(user) ? user : {};
  return { id, url, author: textIn(login), body: textIn(body) };
}

/** An object that GitHub answers, or `GithubError`. `what` it should be. */
export function objectIn(data: Json | undefined, what: string): JsonObject {
  if (isJsonObject(data)) return data;
  throw unexpected(what);
}

/** A text, or an empty one. */
export function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function unexpected(what: string): GithubError {
  return new GithubError("answer", `GitHub's answer is not ${what}`);
}
