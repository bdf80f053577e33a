import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { catalogWith } from "./support.ts";

const manual = readFileSync(fileURLToPath(new URL("../../docs/local-catalog.md", import.meta.url)), "utf8");
const examples = [...manual.matchAll(/```sh\n((?:(?!```).)*)```\n\n```json\n(.*?)```/gs)];

test("the manual's examples with curl work in order, and return what the manual says", async () => {
  const { url, token } = await catalogWith([], { auth: true });
  const env = { ...process.env, DATAHUB_GMS_URL: url, DATAHUB_GMS_TOKEN: token };
  expect(examples.length).toBe(6);
  for (const [, command = "", answer = ""] of examples) {
    const { stdout } = await promisify(execFile)("sh", ["-ec", command], { env });
    const answered: unknown = JSON.parse(stdout, instantAsZero);
    expect([command, answered]).toEqual([command, JSON.parse(answer)]);
  }
});

/** The manual shows the instants of audit stamps as 0. */
function instantAsZero(key: string, value: unknown): unknown {
  return key === "time" ? 0 : value;
}
