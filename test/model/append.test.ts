import { expect, test } from "vitest";
import { appendTo } from "../../src/model/append.ts";

test("a million items are appended in their order", () => {
  const list = [-1];

  appendTo(
    list,
    Array.from({ length: 1_000_000 }, (_, index) => index),
  );

  expect(list).toHaveLength(1_000_001);
  expect([list[0], list[1], list.at(-1)]).toEqual([-1, 0, 999_999]);
});
