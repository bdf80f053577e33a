import type { Plan } from "../../model/plan.ts";
import { codeSpan } from "./escape.ts";

/** The last line of a document about a plan: its target, its commits, and what made it. */
export function footOf({ target, git, tool }: Plan): string {
  const parts = [
    `Target ${codeSpan(target)}`,
    git.commit === null
      ? "no commit"
      : `commit ${codeSpan(git.commit)}${git.dirty ? " and uncommitted changes" : ""}`,
    git.base === null ? "no base" : `base ${codeSpan(git.base)}`,
    codeSpan(tool),
  ];
  return `<sub>${parts.join(" · ")}</sub>`;
}
