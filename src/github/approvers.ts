import { isJsonList, isJsonObject } from "../model/json.ts";
import type { GithubClient } from "./client.ts";
import { type GithubRepository, objectIn, pathOf, textIn } from "./objects.ts";

/**
 * The logins of those who approved a run of a workflow for one of its environments, each once, in the order of their approvals.
 * Throws `GithubError`.
 */
export async function approversOf(
  client: GithubClient,
  repository: GithubRepository,
  run: string,
): Promise<readonly string[]> {
  const path = `${pathOf(repository)}/actions/runs/${encodeURIComponent(run)}/approvals`;
  const { data } = await client.send({ path, what: "read who approved the run", needs: "actions: read" });
  const reviews = isJsonList(data) ? data : [];
  const logins = reviews.flatMap((entry) => {
    const { state, user } = objectIn(entry, "a review of a run");
    const login = isJsonObject(user) ? textIn(user["login"]) : "";
    return state === "approved" && login !== "" ? [login] : [];
  });
  return [...new Set(logins)];
}
