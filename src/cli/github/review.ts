import { failureMarkdown, planMarkdown, problemsMarkdown } from "../../report/markdown/markdown.ts";
import type { SavedResult } from "../../report/saved-result.ts";
import type { Io } from "../io.ts";
import type { PullRequest } from "./pull-request.ts";

/** The text of a comment about results of `plan`. */
export async function reviewOf(
  results: readonly SavedResult[],
  _pullRequest: PullRequest,
  _io: Io,
): Promise<string> {
  return results
    .map((result) => {
      if ("plan" in result) return planMarkdown(result.plan);
      return "failure" in result
        ? failureMarkdown(result.failure)
        : problemsMarkdown(result.problems, "Refused");
    })
    .join("\n");
}
