import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { cli } from "../support/dist.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { onTerminal, shown } from "../support/on-terminal.ts";
import { type Site, siteWith, writesIn } from "../support/site.ts";

/** Waits for what a process leaves in a file of the site when it ends. */
async function leftIn({ root }: Site, file: string): Promise<string> {
  const path = join(root, file);
  while (!existsSync(path) || readFileSync(path, "utf8") === "") await setTimeout(20);
  return readFileSync(path, "utf8").trim();
}

test.each([
  ["yes", "yes\n", 0, 1],
  ["no", "no\n", 1, 0],
  ["the end of the input", "\u0004", 1, 0],
  ["Ctrl-C", "\u0003", 130, 0],
])("the question on a terminal is answered with %s", async (_, keys, code, writes) => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const terminal = onTerminal("datahub-gitops apply", site, { DATAHUB_GMS_URL: site.catalog.url });
  const ended = new Promise((done) => terminal.on("close", done));
  await shown("is accepted", terminal);
  terminal.stdin.write(keys);

  expect(await ended).toBe(code);
  expect(writesIn(site.catalog)).toHaveLength(writes);
});

// The shell outlives its terminal to tell how the command ended.
const applying = `trap "" HUP; datahub-gitops apply --report r.json; echo $? >code`;

test("a terminal that is closed at the question interrupts: nothing is applied, and the report says so", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const terminal = onTerminal(applying, site, { DATAHUB_GMS_URL: site.catalog.url });
  await shown("is accepted", terminal);
  terminal.kill("SIGKILL");

  expect(await leftIn(site, "code")).toBe("130");
  expect(JSON.parse(await leftIn(site, "r.json"))).toMatchObject({ error: { code: "interrupted" } });
  expect(writesIn(site.catalog)).toEqual([]);
});

// It leaves a file when it gets the signal, just before it deals with it.
const telling = `--import 'data:text/javascript,import{writeFileSync}from"fs";process.on("SIGHUP",()=>writeFileSync("hup","1"))'`;

test("a terminal that is closed in the middle of the writes interrupts, and the report is true", async () => {
  const site = await siteWith({
    "users.yaml": "- { kind: User, id: report, manager_urn: manager }\n- { kind: User, id: manager }\n",
  });
  let close = (): void => {};
  const server = await inFrontOf(site.catalog.url, async ({ text }) => {
    if (!text.includes("proposal")) return;
    close();
    await leftIn(site, "hup");
  });
  const line = `exec "${process.execPath}" ${telling} "${cli}" apply --auto-approve --report r.json`;
  const terminal = onTerminal(line, site, { DATAHUB_GMS_URL: server });
  close = () => void terminal.kill("SIGKILL");

  expect(JSON.parse(await leftIn(site, "r.json"))).toMatchObject({
    outcomes: [
      { status: "applied", urn: "urn:li:corpuser:manager" },
      { status: "skipped", urn: "urn:li:corpuser:report", because: "interrupted" },
    ],
    run: { exitCode: 130 },
  });
  expect(site.aspect("urn:li:corpuser:manager", "corpUserInfo")).toBeDefined();
  expect(site.aspect("urn:li:corpuser:report", "corpUserInfo")).toBeUndefined();
});
