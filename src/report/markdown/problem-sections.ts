import type { Origin } from "../../model/origin.ts";
import type { Names, Plan } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import { placeOf } from "../text/change-text.ts";
import { many, type Section } from "./section.ts";
import { codeSpan, prose } from "./escape.ts";
import { isOfWholeFile, sentenceOf } from "../problems.ts";

/** The page of a place in a manifest, where there is one. */
export type LinkOf = (origin: Origin) => string | undefined;

type WithProblems = Pick<Plan, "problems" | "names">;

/** The errors, not folded. The heading is `head`, or their number. */
export function errorSection(
  { problems = [], names }: WithProblems,
  head?: string,
  linkOf?: LinkOf,
): Section {
  const errors = problems.filter(({ severity }) => severity === "error");
  return {
    rank: 2,
    head: head ?? `#### ${many(errors.length, ["error", "errors"])}`,
    form: "list",
    rows: errors.map((problem) => rowOf(problem, names, linkOf)),
    noun: ["error", "errors"],
  };
}

/** The warnings, folded. */
export function warningSection({ problems = [], names }: WithProblems): Section {
  const warnings = problems.filter(({ severity }) => severity === "warning");
  return {
    rank: 6,
    head: many(warnings.length, ["warning", "warnings"]),
    form: "list",
    isFolded: true,
    rows: warnings.map((problem) => rowOf(problem, names)),
    noun: ["warning", "warnings"],
  };
}

function rowOf(problem: PlanProblem, names?: Names, linkOf?: LinkOf): Section["rows"][number] {
  const { origin, related, code } = problem;
  const place = origin && codeSpan(isOfWholeFile(problem) ? origin.file : placeOf(origin));
  const page = origin && linkOf?.(origin);
  const parts = [
    ...(place === undefined ? [] : [page === undefined ? place : `[${place}](<${page}>)`]),
    `${codeSpan(code)}: ${prose(sentenceOf(problem, names))}`,
    ...(related ? [`(see also ${codeSpan(placeOf(related))})`] : []),
  ];
  return { text: `- ${parts.join(" ")}`, of: 1 };
}
