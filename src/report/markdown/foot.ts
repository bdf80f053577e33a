import type { Plan } from "../../model/plan.ts";
import { codeSpan } from "./escape.ts";

/** The last line of a document about a plan: its target, its commits, what made it, and the page of the run that did. */
export function footOf({ target, scope, git, tool }: Plan, run?: string): string {
  const environment = scope?.environment;
  const parts = [
    `Target ${codeSpan(target)}`,
    ...(environment === undefined ? [] : [`environment ${codeSpan(environment)}`]),
    git.commit === null
      ? "no commit"
      : `commit ${codeSpan(git.commit)}${git.dirty ? " and uncommitted changes" : ""}`,
    git.base === null ? "no base" : `base ${codeSpan(git.base)}`,
    codeSpan(tool),
    ...(run === undefined ? [] : [`[run](${run})`]),
  ];
  return `<sub>${parts.join(" · ")}</sub>`;
}
