import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tag } from "../support/history.ts";
import { onTerminal } from "../support/on-terminal.ts";
import { siteWith } from "../support/site.ts";

test("--open hands the page to the program of the system that opens files", async () => {
  const site = await siteWith({ "tags.yaml": tag("pii") });
  writeFileSync(join(site.root, "xdg-open"), '#!/bin/sh\nprintf "%s" "$1" >"$OPENED"\n', { mode: 0o755 });
  const opened = join(site.root, "opened");
  const terminal = onTerminal("datahub-gitops plan --open", site, {
    DATAHUB_GMS_URL: site.catalog.url,
    OPENED: opened,
    PATH: `${site.root}:${process.env["PATH"]}`,
  });
  expect(await new Promise((done) => terminal.on("close", done))).toBe(0);

  // The program outlives the command.
  await expect.poll(() => readFileSync(opened, "utf8")).toMatch(/plan\.html$/);
  const page = readFileSync(opened, "utf8");
  expect(readFileSync(page, "utf8")).toContain("Plan: 1 to create");
  rmSync(dirname(page), { recursive: true });
});
