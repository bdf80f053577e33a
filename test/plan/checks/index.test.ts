import { expect, test } from "vitest";
import { checks } from "../../../src/plan/checks/index.ts";
import { notes } from "../../../src/plan/notes/index.ts";

test("each code is found by one check, and each note has a name of its own", () => {
  for (const names of [checks.flatMap(({ codes }) => codes), notes.map(({ name }) => name)])
    expect(names).toHaveLength(new Set(names).size);
});
