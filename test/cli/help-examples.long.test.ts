import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleFile } from "../../src/cli/demo/demo-catalog.ts";
import { demoDirectory } from "../../src/cli/demo/story.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { startGithub } from "../support/github.ts";
import { testRepository } from "../support/git-repository.ts";
import { helps } from "../support/helps.ts";
import { appliedRef, settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { zipOf } from "../support/zip.ts";

const commands = await helps();

/** The lines of the examples in a help, without their comments. */
function examplesIn(text: string): readonly string[] {
  const [, examples = ""] = text.split("\nExamples:\n");
  return examples.split("\n").flatMap((line) => (/^ {2}[^#]/.test(line) ? [line.trim()] : []));
}

async function makeDemoSite(): Promise<Site> {
  const site = await siteWith({}, settingsWith("waivers: { max_days: 100000 }"));
  await site.catalog.load(sampleFile);
  cpSync(demoDirectory, join(site.root, "catalog"), {
    recursive: true,
    filter: (name) => !name.endsWith("datahub-gitops.yaml"),
  });
  site.commit({});
  expect(await site.apply()).toMatchObject({ code: 0 });
  return site;
}

/** The repository of the demo, which was applied to its catalog. */
const demoSite = siteOnce(makeDemoSite);

/** Runs a line of an example as a shell would, as far as examples need one. */
async function runLine(line: string, site: Site, env: Record<string, string>): Promise<number> {
  const [, command = "", file] = /^(.*?)(?: > (\S+))?$/.exec(line) ?? [];
  const [, variable, argv = ""] = /^(\w+)=\$\(git (.*)\)$/.exec(command) ?? [];
  if (variable !== undefined) {
    env[variable] = site.git(...argv.split(" "));
    return 0;
  }
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, word = ""]) => quoted ?? word.replace(/^\$(\w+)$/, (_, name: string) => env[name] ?? ""),
  );
  const [program, ...rest] = words;
  if (program === "echo") {
    writeFileSync(join(site.root, file ?? ""), `${rest.join(" ")}\n`);
    return 0;
  }
  expect(program).toBe("datahub-gitops");
  const endless = rest[0] === "serve" || (rest[0] === "watch" && !rest.includes("--rounds"));
  const { code, stdout, stderr } = await runCli(rest, {
    cwd: site.root,
    env,
    // The questions of `init` are answered with what it recommends.
    answers: [rest[0] === "init" ? "" : "yes"],
    openFile: async () => {},
    ...(endless && { interrupted: AbortSignal.abort() }),
  });
  if (file !== undefined) writeFileSync(join(site.root, file), stdout);
  // A test has no server that `doctor` would praise.
  const expected = endless ? [0, 130] : line.includes("drift") ? [0, 2] : rest[0] === "doctor" ? [0, 1] : [0];
  expect(expected, `${line}\n${stderr}`).toContain(code);
  return code;
}

/** A GitHub with a pull request that was merged, and a snapshot of the site. */
async function githubEnv(site: Site): Promise<Readonly<Record<string, string>>> {
  const github = await startGithub();
  const sha = "c0ffee";
  const saved = await site.run(["export", "--snapshot", "saved.json"]);
  expect(saved).toMatchObject({ code: 0 });
  const archive = zipOf({ "snapshot.json": readFileSync(join(site.root, "saved.json"), "utf8") });
  github.artifacts.push({
    name: "datahub-gitops-snapshot",
    sha,
    branch: "main",
    archive,
    run: { event: "schedule" },
  });
  github.pulls.push({ number: 12, head: "0ddba11", branch: "topic", merge: sha });
  writeFileSync(join(site.root, "event.json"), JSON.stringify({ pull_request: { number: 12 } }));
  return { ...github.env, GITHUB_SHA: sha, GITHUB_EVENT_PATH: "event.json" };
}

// The script of `completion` is for a shell, and the demo has a test of its own.
const played = commands.filter(({ words: [name] }) => name !== "completion" && name !== "demo");

test.each(played)("the examples of $words work in the repository of the demo", async ({ words, text }) => {
  const site = await demoSite();
  const isGithub = words[0] === "github";
  const env = { DATAHUB_GMS_URL: site.catalog.url, ...(isGithub && (await githubEnv(site))) };
  if (words[0] === "runs") site.git("remote", "add", "origin", testRepository().root);
  if (words[0] === "rollback") site.commit({ "catalog/new.yaml": tag("new") });
  for (const line of examplesIn(text).filter((each) => !each.endsWith(" demo"))) {
    if (line.includes(" init")) {
      rmSync(join(site.root, "catalog"), { recursive: true });
      site.git("update-ref", "-d", appliedRef);
    }
    await runLine(line, site, env);
  }
});
