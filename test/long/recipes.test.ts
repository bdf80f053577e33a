import { expect, test } from "vitest";
import { copyRepository, recipes } from "./recipes.ts";

test("the recipes of CONTRIBUTING.md compile", () => {
  const copy = copyRepository();
  copy.write(recipes().flatMap(({ pieces }) => pieces));
  expect(copy.run("tsc --noEmit")).toEqual({ code: 0, output: "" });
});
