import fc from "fast-check";
import { expect, test } from "vitest";
import { type Problem, sortProblems } from "../../src/model/problem.ts";
import { argOf } from "../support/problem-args.ts";

const origin = fc.record({
  file: fc.constantFrom("a.yaml", "b.yaml"),
  line: fc.integer({ min: 1, max: 3 }),
  column: fc.integer({ min: 1, max: 2 }),
});
const others = {
  severity: fc.constantFrom("error" as const, "warning" as const),
  args: fc.record({ urn: fc.constantFrom("1", "2") }),
  origin,
};
const requiredKeys: ("code" | "severity" | "args")[] = ["code", "severity", "args"];
const problems: fc.Arbitrary<Problem[]> = fc.array(
  fc.oneof(
    fc.record({ code: fc.constant("deleted-reference" as const), ...others }, { requiredKeys }),
    fc.record({ code: fc.constant("external-group" as const), ...others }, { requiredKeys }),
  ),
);

test("problems are shown by file, line, column, code, whatever the order in which they were found", () => {
  fc.assert(
    fc.property(problems, (found) => {
      const shown = sortProblems(found);
      expect(shown.toSorted((a, b) => (a.origin?.line ?? 0) - (b.origin?.line ?? 0)).length).toBe(
        found.length,
      );
      const keys = shown.map((each) =>
        [
          each.origin?.file ?? "",
          each.origin?.line ?? 0,
          each.origin?.column ?? 0,
          each.code,
          argOf(each, "urn"),
        ].join(" "),
      );
      expect(keys).toEqual(keys.toSorted());
    }),
    { numRuns: 1000 },
  );
});
