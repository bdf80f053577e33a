import { expect, test } from "vitest";
import { problems, type Problem } from "../../src/model/problem.ts";
import { messageOf } from "../../src/report/document/problems.ts";

test("every message reads as written down", async () => {
  const lines = Object.entries(problems).flatMap(([code, { samples = [{}] }]) =>
    samples.map((args) => `${code}: ${messageOf({ code, severity: "warning", args } as Problem)}`),
  );

  expect(lines.filter((line) => line.includes("undefined"))).toEqual([]);
  await expect(`${lines.toSorted().join("\n")}\n`).toMatchFileSnapshot("expected/messages.txt");
});

test("a message with arguments has samples", () => {
  const without = Object.entries(problems).filter(
    ([, { message, samples = [] }]) => typeof message !== "string" && samples.length === 0,
  );
  expect(without.map(([code]) => code)).toEqual([]);
});
