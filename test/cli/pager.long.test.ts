import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tag } from "../support/history.ts";
import { onTerminal, shown } from "../support/on-terminal.ts";
import { type Site, siteWith, writesIn } from "../support/site.ts";

const tags = Array.from({ length: 9 }, (_, number) => tag(`t${number}`));

/** Ten lines: a plan of nine tags is longer. */
const screen = "stty rows 10 cols 60; export TERM=xterm; unset LESS LV;";

async function siteWithPager(script: string): Promise<Site> {
  const site = await siteWith({ "tags.yaml": tags.join("---\n") });
  writeFileSync(join(site.root, "pager"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return site;
}

function run(line: string, site: Site, pager = "./pager"): ChildProcessWithoutNullStreams {
  return onTerminal(`${screen} ${line}`, site, {
    DATAHUB_GMS_URL: site.catalog.url,
    DATAHUB_GITOPS_PAGER: pager,
  });
}

/** The exit code and what the terminal has shown, when it has ended. */
async function ended(
  terminal: ChildProcessWithoutNullStreams,
): Promise<{ readonly code: number | null; readonly screen: string }> {
  let output = "";
  terminal.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((done) => terminal.on("close", done));
  return { code, screen: output };
}

const lastLine = "Plan: 9 to create";

test("a plan that is longer than the screen goes through the pager, with what less needs", async () => {
  const site = await siteWithPager('cat >paged; echo "$LESS $LV"');

  const { code, screen: shownThere } = await ended(run("datahub-gitops plan --detailed-exitcode", site));

  expect(code).toBe(2);
  expect(readFileSync(join(site.root, "paged"), "utf8")).toContain(lastLine);
  expect(shownThere).toContain("FRX -c");
  expect(shownThere).not.toContain(lastLine);
});

test.each([
  ["a shorter one", "datahub-gitops plan --target '*t1'", "Plan: 1 to create"],
  ["--no-pager", "datahub-gitops plan --no-pager", lastLine],
  ["JSON", "datahub-gitops plan --format json", '"formatVersion"'],
  ["CI", "CI=true datahub-gitops plan", lastLine],
  ["a terminal that can do nothing", "TERM=dumb datahub-gitops plan", lastLine],
])("no pager is started: %s", async (_, line, text) => {
  const site = await siteWithPager("touch started; cat");

  const { screen: shownThere } = await ended(run(line, site));

  expect(shownThere).toContain(text);
  expect(existsSync(join(site.root, "started"))).toBe(false);
});

test("a pager that ends early is no error, and the exit code stays", async () => {
  const site = await siteWithPager("head -n 1");

  expect(await ended(run("datahub-gitops plan --detailed-exitcode", site))).toMatchObject({ code: 2 });
});

test.each(["no-such-pager", "no-such-pager -x"])(
  "where the pager %s cannot be started, the plan is printed without it",
  async (pager) => {
    const site = await siteWithPager("");

    const { code, screen: shownThere } = await ended(run("datahub-gitops plan", site, pager));

    expect(code).toBe(0);
    expect(shownThere).toContain(lastLine);
    expect(shownThere.match(/cannot start the pager/g)).toHaveLength(1);
  },
);

test("an apply asks when the pager has ended, and what it did is not paged", async () => {
  const site = await siteWithPager("cat >paged; read -r line </dev/tty; echo THE PAGER ENDS");
  const terminal = run("datahub-gitops apply", site);
  const end = ended(terminal);
  terminal.stdin.write("q\n");
  await shown("is accepted", terminal);
  terminal.stdin.write("yes\n");

  const { code, screen: shownThere } = await end;

  expect(code).toBe(0);
  expect(shownThere.replace(/\s+/g, " ")).toMatch(/THE PAGER ENDS .*is accepted.*Applied/);
  expect(writesIn(site.catalog)).toHaveLength(9);
});

test.each([
  ["--auto-approve", "datahub-gitops apply --auto-approve"],
  ["a saved plan", "datahub-gitops plan --out p.json >/dev/null; datahub-gitops apply p.json"],
])("an apply that does not ask does not wait for a pager: %s", async (_, line) => {
  const site = await siteWithPager("touch started; cat");

  expect(await ended(run(line, site))).toMatchObject({ code: 0, screen: expect.stringContaining("Applied") });
  expect(existsSync(join(site.root, "started"))).toBe(false);
});

test("Ctrl-C while the pager is open leaves the pager, and ends the apply without a question", async () => {
  const site = await siteWithPager(
    'trap "" INT; cat >paged; echo READY; while ! test -e go; do sleep 0.05; done; echo THE PAGER ENDS',
  );
  const terminal = run("datahub-gitops apply", site);
  const end = ended(terminal);
  await shown("READY", terminal);
  terminal.stdin.write("\u0003");
  await shown("^C", terminal);
  terminal.stdin.write("\u0003");
  await shown("^C", terminal);
  writeFileSync(join(site.root, "go"), "");

  const { code, screen: shownThere } = await end;

  expect(code).toBe(130);
  expect(shownThere).toMatch(/THE PAGER ENDS\s+Interrupted\./);
  expect(shownThere).not.toContain("is accepted");
  expect(writesIn(site.catalog)).toEqual([]);
});

test("less shows the beginning of a plan, and q ends it", async () => {
  const site = await siteWithPager("");
  const terminal = run("datahub-gitops plan --detailed-exitcode", site, "less");
  const end = ended(terminal);
  await shown("Server: ", terminal);
  terminal.stdin.write("q");

  const { code, screen: shownThere } = await end;

  expect(code).toBe(2);
  expect(shownThere).not.toContain(lastLine);
});

test("of a plan that is larger than a pipe the pager takes as much as it reads", async () => {
  const long = tags.map((_, number) => tag(`t${number}`, "x".repeat(50_000)));
  const site = await siteWith({ "tags.yaml": long.join("---\n") });
  writeFileSync(join(site.root, "pager"), "#!/bin/sh\nsleep 0.2; tail -n 2\n", { mode: 0o755 });

  const whole = await ended(run("datahub-gitops plan", site));
  const part = await ended(run("datahub-gitops plan", site, "head -n 1"));

  expect(whole).toMatchObject({ code: 0, screen: expect.stringContaining(lastLine) });
  expect(part).toMatchObject({ code: 0, screen: expect.stringContaining("Server: ") });
  expect(part.screen).not.toContain("Plan: ");
});
