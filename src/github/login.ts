import type { GithubClient } from "./client.ts";
import { GithubError } from "./failure.ts";
import { objectIn, textIn } from "./objects.ts";

/**
 * The login of the token's own user or app, as comments name their author. GitHub's REST API tells it to users only; a
 * workflow's token is `github-actions[bot]`. Anybody can write a marker into a comment, so only our own posts count.
 */
export async function ownLogin(client: GithubClient): Promise<string> {
  const asked = { what: "ask whose token it is", needs: "metadata: read" };
  const { viewer } = objectIn(await client.query("query { viewer { login } }", asked), "a user");
  const login = textIn(objectIn(viewer, "a user")["login"]);
  if (login === "") throw new GithubError("answer", "GitHub does not say whose token it is");
  return login;
}
