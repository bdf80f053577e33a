/** Describes how a plan differs from the plan reviewed in a pull request, as a sentence and as Markdown. */

import type { Change } from "../../model/change.ts";
import type { Names } from "../../model/plan.ts";
import { count } from "../count.ts";
import { changesPart } from "../markdown/changes.ts";
import { maxCommentLength, fitSections } from "../markdown/sections.ts";

/** How a plan differs from the reviewed plan. */
export interface Reviewed {
  /** The numbers of the pull requests in which the plan was reviewed. */
  readonly pullRequests: readonly number[];
  /** The number of changes in the plan. */
  readonly of: number;
  readonly added: readonly Change[];
  readonly gone: readonly Change[];
  readonly names: Names;
}

/** Returns a sentence that states whether the plan was reviewed, and how many changes differ. */
export function reviewedLine({ pullRequests, of, added, gone }: Reviewed): string {
  const where = pullRequests.map((number) => `#${number}`).join(" and ");
  if (added.length + gone.length === 0) return `This is the plan that was reviewed in ${where}.`;
  const were = added.length === 1 ? "was" : "were";
  const are = gone.length === 1 ? "is" : "are";
  const fresh = `${added.length} of ${count(of, "change")} ${were} not in the plan reviewed in ${where}`;
  const left = `${count(gone.length, "change")} reviewed in ${where} ${are} no longer in the plan`;
  if (gone.length === 0) return `${fresh}.`;
  return added.length === 0 ? `${left}.` : `${fresh}, and ${left}.`;
}

/** Returns the result of `reviewedLine` as Markdown, followed by the changes that appear in only one of the two plans. */
export function reviewedMarkdown(reviewed: Reviewed): string {
  const { added, gone, names } = reviewed;
  const line = reviewedLine(reviewed);
  const isSame = added.length + gone.length === 0;
  const sections = [
    changesPart("Not reviewed", added, { names }),
    changesPart("Reviewed, but no longer in the plan", gone, { names }),
  ];
  const rest = "The full plan is available as JSON.";
  return fitSections(maxCommentLength, [isSame ? line : line.replace(/\.$/, ":")], sections, { rest });
}
