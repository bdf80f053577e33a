import fc from "fast-check";
import { expect, test } from "vitest";
import { type Problem, sortProblems } from "../../src/model/problem.ts";

const origin = fc.record({
  file: fc.constantFrom("a.yaml", "b.yaml"),
  line: fc.integer({ min: 1, max: 3 }),
  column: fc.integer({ min: 1, max: 2 }),
});
const problems = fc.array(
  fc.record<Problem>(
    {
      code: fc.constantFrom("x", "y"),
      severity: fc.constantFrom("error", "warning"),
      args: fc.record({ urn: fc.constantFrom("1", "2") }),
      origin,
    },
    { requiredKeys: ["code", "severity", "args"] },
  ),
);

test("problems are shown by file, line, column, code, whatever the order in which they were found", () => {
  fc.assert(
    fc.property(problems, (found) => {
      const shown = sortProblems(found);
      expect(shown.toSorted((a, b) => (a.origin?.line ?? 0) - (b.origin?.line ?? 0)).length).toBe(
        found.length,
      );
      const keys = shown.map(({ origin: at, code, args }) =>
        [at?.file ?? "", at?.line ?? 0, at?.column ?? 0, code, args["urn"]].join(" "),
      );
      expect(keys).toEqual(keys.toSorted());
    }),
    { numRuns: 1000 },
  );
});
