import { expect, test } from "vitest";
import { paintWith } from "../../src/report/paint.ts";
import { planText } from "../../src/report/text/plan-text.ts";
import { urn } from "../support/states.ts";
import { planOf } from "./plans.ts";

test("a plan as text says how many definitions are no longer declared, and the flags that delete them", () => {
  const entities = [urn("urn:li:tag:a"), urn("urn:li:tag:b")];
  const textWith = (number: number): string =>
    planText(
      planOf({ scope: { directory: "catalog", left: { entities: entities.slice(0, number), values: 1 } } }),
      paintWith(false),
    );

  expect(textWith(0)).not.toContain("--prune");
  expect(textWith(1)).toContain(
    "\n1 definition is no longer declared and stays in the catalog. Delete it with `--prune --max-deletes 1`.\nNo changes.",
  );
  expect(textWith(2)).toContain(
    "\n2 definitions are no longer declared and stay in the catalog. Delete them with `--prune --max-deletes 2`.\n",
  );
});
