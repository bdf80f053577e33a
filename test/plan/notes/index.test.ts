/** Tests the list of notes. */

import { expect, test } from "vitest";
import { notes } from "../../../src/plan/notes/index.ts";

test("each note has a name of its own", () => {
  const names = notes.map(({ name }) => name);
  expect(names).toHaveLength(new Set(names).size);
});
