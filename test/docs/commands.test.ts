import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listedCommands } from "../../src/cli/commands/index.ts";
import { tag } from "../support/history.ts";
import { runCli } from "../support/command-line.ts";
import { settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";

const root = join(import.meta.dirname, "../..");
const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const pages = ["README.md", "SECURITY.md", ...guides.map((name) => `docs/${name}`)];
const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

/** Guides that have tests of their own, which run their commands in their order. */
const played = new Set([
  "docs/adopt.md",
  "docs/ci.md",
  "docs/environments.md",
  "docs/policies.md",
  "docs/rules.md",
]);

/** The words of the commands in the blocks of a page. */
function commandsIn(page: string): readonly (readonly string[])[] {
  const blocks = [...textOf(page).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block.split("\n").flatMap((line) => {
      const [, words] = /^datahub-gitops (.*?)(?:\s+#.*)?$/.exec(line) ?? [];
      return words === undefined ? [] : [words.split(" ")];
    }),
  );
}

async function makeSiteForPages(): Promise<Site> {
  const user = "kind: User\nid: alice@acme.com\ntitle: Steward\n";
  const site = await siteWith({ "a.yaml": tag("a"), "alice.yaml": user }, settingsWith());
  expect(await site.apply()).toMatchObject({ code: 0 });
  writeFileSync(join(site.root, "users.yaml"), "id: bob\ntitle: Steward\n");
  writeFileSync(join(site.root, "groups.yaml"), "id: team\ndisplay_name: Team\nmembers: [bob]\n");
  return site;
}

/** A site on which everything that the pages name is there. */
const siteForPages = siteOnce(makeSiteForPages);

test.each(pages.filter((page) => !played.has(page) && commandsIn(page).length > 0))(
  "the commands in %s work, in its order",
  async (page) => {
    const site = await siteForPages();
    for (const argv of commandsIn(page)) {
      const options = {
        cwd: site.root,
        env: { DATAHUB_GMS_URL: argv[0] === "serve" ? "" : site.catalog.url },
        // Somebody ends the server, and answers the question.
        ...(argv[0] === "serve" && { interrupted: AbortSignal.abort() }),
      };
      const shown = argv.map((word) => (word === '"$DATAHUB_GMS_URL"' ? site.catalog.url : word));
      const { code, stderr } = await runCli(
        argv.join(" ") === "apply" ? ["apply", "--auto-approve"] : shown,
        options,
      );
      expect({ argv, code, stderr }).toMatchObject({ code: argv[0] === "serve" ? 130 : 0 });
    }
  },
);

test("every flag that a page names with its command is one of that command", async () => {
  const names = new Set(listedCommands.map(({ name }) => name));
  const helps = new Map<string, string>();
  for (const page of pages) {
    for (const [, code = ""] of textOf(page).matchAll(/`([^`\n]+)`/g)) {
      const [name = "", sub = ""] = code.replace(/^datahub-gitops /, "").split(" ");
      const flags = code.match(/(?<= )--[a-z][\w-]*/g) ?? [];
      if (!names.has(name) || flags.length === 0) continue;
      const path = /^(?:user|group|github)$/.test(name) ? [name, sub] : [name];
      const key = path.join(" ");
      const help = helps.get(key) ?? (await runCli([...path, "--help"], { cwd: "/" })).stdout;
      helps.set(key, help);
      for (const flag of flags)
        expect({ page, code, help }).toMatchObject({ help: expect.stringContaining(flag) as string });
    }
  }
  expect(helps.size).toBeGreaterThan(5);
});
