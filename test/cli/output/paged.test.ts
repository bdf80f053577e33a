import { expect, test } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { pagerFor, writePaged } from "../../../src/cli/output/paged.ts";
import { capture } from "../../support/command-line.ts";

const onTerminal = { stdout: { ...capture(80), isTTY: true } };

test.each<[string, Io["env"], string | undefined]>([
  ["less, where nothing is set", {}, "less"],
  ["PAGER", { PAGER: "more" }, "more"],
  ["DATAHUB_GITOPS_PAGER before PAGER", { DATAHUB_GITOPS_PAGER: "less -S", PAGER: "more" }, "less -S"],
  ["none, where it is empty", { DATAHUB_GITOPS_PAGER: "", PAGER: "more" }, undefined],
  ["none, where it is cat", { PAGER: "cat" }, undefined],
  ["none in CI", { CI: "true", PAGER: "more" }, undefined],
  ["none on a terminal that can do nothing", { TERM: "dumb", PAGER: "more" }, undefined],
])("the pager is %s", (_, env, pager) => {
  expect(pagerFor({ ...onTerminal, env })).toBe(pager);
});

test("there is no pager where stdout is no terminal", () => {
  expect(pagerFor({ stdout: capture(80), env: { PAGER: "more" } })).toBeUndefined();
});

/** What is paged and what is printed of a text, on a terminal of 5 lines of 10 characters. */
async function written(text: string, fault?: string): Promise<Record<"paged" | "printed" | "said", string>> {
  const [stdout, stderr] = [capture(10), capture(10)];
  let paged = "";
  const io = {
    stdout: { ...stdout, isTTY: true, rows: 5 },
    stderr,
    env: { PAGER: "more" },
    interrupted: new AbortController().signal,
    page: async (command: string, pieces: Iterable<string>) => {
      paged = fault === undefined ? `${command}: ${[...pieces].join("")}` : "";
      return fault;
    },
  };
  await writePaged(() => [text], io as unknown as Io);
  return { paged, printed: stdout.text(), said: stderr.text() };
}

test.each([
  ["as many lines as fit above the prompt", "a\nb\nc\nd\n", false],
  ["a line for each of the screen", "a\nb\nc\nd\ne\n", true],
  ["a line that takes several", `${"x".repeat(41)}\n`, true],
])("whether a text is paged: %s", async (_, text, isPaged) => {
  const { paged, printed } = await written(text);

  expect([paged, printed]).toEqual(isPaged ? [`more: ${text}`, ""] : ["", text]);
});

test("a text is printed where the pager cannot be started, and one line says so", async () => {
  const text = "a\nb\nc\nd\ne\n";

  expect(await written(text, "it was not found")).toEqual({
    paged: "",
    printed: text,
    said: 'cannot start the pager "more": it was not found\n',
  });
});
