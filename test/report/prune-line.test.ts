import { expect, test } from "vitest";
import type { Plan, Unmanaged } from "../../src/model/plan.ts";
import { urn } from "../support/states.ts";
import { planOf } from "./plans.ts";
import { printed } from "./print.ts";

test("a plan as text says how many definitions are no longer declared, and the flags that delete them", () => {
  const entities = [urn("urn:li:tag:a"), urn("urn:li:tag:b")];
  const textWith = (number: number): string =>
    printed(
      {
        plan: planOf({
          scope: { directory: "catalog", left: { entities: entities.slice(0, number), values: 0 } },
        }),
      },
      "text",
    );

  expect(textWith(0)).not.toContain("--prune");
  expect(textWith(1)).toContain(
    "\n1 definition is no longer declared and stays in the catalog. Delete it with `--prune --max-deletes 1`.\nNo changes.",
  );
  expect(textWith(2)).toContain(
    "\n2 definitions are no longer declared and stay in the catalog. Delete them with `--prune --max-deletes 2`.\n",
  );
});

const [dataset, tag] = [urn("urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"), urn("urn:li:tag:a")];
const left = (facet: string, of = dataset): Unmanaged => {
  const kind = of === tag ? "Tag" : "Dataset";
  return { urn: of, kind, facet, value: "x", reason: "no-longer-declared" };
};

test.each<readonly [string, Partial<Plan>, string | undefined]>([
  [
    "which setting removes a value",
    { unmanaged: [left("domain"), { ...left("tags"), reason: "ingested" } as Unmanaged] },
    "1 value is no longer declared and stays in the catalog. With `prune: { assignments: true }` in the settings, `--prune` removes it.",
  ],
  [
    "which setting removes values",
    { unmanaged: [left("domain"), left("tags")] },
    "2 values are no longer declared and stay in the catalog. With `prune: { assignments: true }` in the settings, `--prune` removes them.",
  ],
  [
    "only the flag where the settings have it",
    {
      unmanaged: [left("domain"), left("tags")],
      scope: { directory: "catalog", left: { entities: [], values: 2 } },
    },
    "2 values are no longer declared and stay in the catalog. Remove them with `--prune`.",
  ],
  [
    "nothing of the values of a definition that goes as a whole",
    {
      unmanaged: [left("owners", tag)],
      scope: { directory: "catalog", left: { entities: [tag], values: 0 } },
    },
    undefined,
  ],
  ["nothing of a name, which no prune removes", { unmanaged: [left("name", tag)] }, undefined],
])("of values that are no longer declared a plan as text says %s", (_, content, line) => {
  const text = printed({ plan: planOf(content) }, "text");

  if (line !== undefined) expect(text).toContain(`\n${line}\n`);
  expect(text.match(/^\d+ values? (?:is|are) no longer/gm) ?? []).toHaveLength(line === undefined ? 0 : 1);
});
