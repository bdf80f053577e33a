import type { PlanProblem, ProblemArgs } from "../../src/model/problem.ts";

/** An argument of a problem of any code; `undefined` where its code has no such argument. */
export function argOf({ args }: PlanProblem, name: string): ProblemArgs[string] {
  const all: ProblemArgs = args;
  return all[name];
}
