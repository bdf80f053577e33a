import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { displayNames } from "../../src/facets/display-names.ts";
import { adviceBefore } from "../../src/cli/run/init-modes.ts";
import { assetKinds } from "../../src/kinds/index.ts";
import { startCatalog } from "../../src/local-catalog/server.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
  type TestCatalog,
} from "../support/catalog.ts";
import { type Ran, runCli, type RunOptions } from "../support/command-line.ts";
import { gitIn } from "../support/git-repository.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { datasetNamed } from "../support/states.ts";
import type { Workflow } from "../workflows/files.ts";

const action = `acme/datahub-gitops@${"1f6e0c1b".repeat(5)}`;

/** A workflow of the examples with this action, also in the address of its guide. */
function withOwnAction(shipped: string): string {
  return shipped
    .replaceAll(`OWNER/datahub-gitops@${"0".repeat(40)}`, action)
    .replaceAll("OWNER/datahub-gitops/blob/HEAD", action.replace("@", "/blob/"));
}
const orders = datasetNamed("orders");
const invoices = datasetNamed("invoices");

const tagged = (actor: string, ...tags: readonly string[]) => ({
  tags: tags.map((tag) => ({
    tag: `urn:li:tag:${tag}`,
    attribution: { time: 1_700_000_000_000, actor: `urn:li:corpuser:${actor}`, metadata: {} },
  })),
});

const byBob: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  ["urn:li:tag:gold", "tagProperties", { name: "gold" }],
  [orders, "globalTags", tagged("bob", "gold", "pii")],
  [invoices, "globalTags", tagged("datahub", "pii")],
];

/** Settings with which no schemas for editors are written: for those all definitions are read. */
const withSettings = { "catalog/datahub-gitops.yaml": "version: 1\n" };

const byIngestion: readonly MadeAspect[] = [[orders, "globalTags", tagged("datahub", "pii")]];

interface Place {
  readonly catalog: TestCatalog;
  readonly cwd: string;
  readonly init: (argv?: readonly string[], options?: Partial<RunOptions>) => Promise<Ran>;
  readonly files: () => readonly string[];
  readonly text: (path: string) => string;
}

/** A catalog with some aspects, and an empty repository. */
async function placeWith(
  aspects: readonly MadeAspect[],
  files: Readonly<Record<string, string>> = {},
): Promise<Place> {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), aspects));
  const cwd = repositoryWith(files);
  return {
    catalog,
    cwd,
    init: (argv = [], options) => runCli(["init", ...argv], { cwd, ...options }),
    files: () => filesIn(cwd),
    text: (path) => readFileSync(join(cwd, path), "utf8"),
  };
}

function repositoryWith(files: Readonly<Record<string, string>> = {}): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, ".git"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return cwd;
}

function filesIn(cwd: string): readonly string[] {
  return readdirSync(cwd, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(cwd.length + 1))
    .toSorted();
}

test("on a terminal it asks one question after the other, an empty answer is what is recommended, and a second run adds nothing", async () => {
  const { catalog, init, text, files } = await placeWith(byBob);
  const ran = await init([], { answers: ["", "", "", "", ""], env: { DATAHUB_GMS_URL: catalog.url } });
  expect({ ...ran, stderr: ran.stderr.replaceAll(catalog.url, "URL") }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "Directory for the manifests [catalog]: URL of the DataHub server [URL]: The mode decides what apply does with values in the catalog that the manifests do not declare:
      authoritative  the next apply removes values that people add to a declared field in the UI; plans show the removals
      merge          values that people add in the UI are kept, and plans list them; apply removes only previously declared values
      additive       values that people add in the UI are kept; apply never removes a value
    Recommended: merge. Of 2 assets that were read, 2 have values that can be managed; a person set a value on 1 of them.
    Mode [merge]: Write the workflows for GitHub Actions [no]: Export the catalog to manifests [yes]: Skipped 1 DataHub system entity; export --verbose lists it
    ",
      "stdout": "Created catalog/datahub-gitops.yaml
    Created .gitignore
    Created catalog/.schema.json
    Created catalog/.settings.schema.json
    Exported to catalog: 4 files created, 0 updated, 0 unchanged.
    Created .github/CODEOWNERS.example
    Next:
      datahub-gitops validate
      datahub-gitops plan
      git add catalog .gitignore .github/CODEOWNERS.example
      git commit --message 'Declare the catalog'
      datahub-gitops apply
    ",
    }
  `);
  expect(text("catalog/datahub-gitops.yaml").replaceAll(catalog.url, "URL")).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=.settings.schema.json
    # The version of this format.
    version: 1
    # The only server that these manifests may be planned against or applied to. This setting does not select the server.
    server: URL
    # What to do with live values that are not declared: \`additive\` keeps them, \`merge\` removes those that were
    # previously declared, and \`authoritative\` removes all of them. A manifest can have its own \`manage\`.
    # To set a mode for each facet, use a mapping: \`manage: { tags: merge }\`.
    manage: merge
    # The Git ref of the last applied commit. A complete apply moves it.
    base: refs/datahub-gitops/applied
    "
  `);
  expect(text(".gitignore")).toBe(".datahub-gitops/\n");
  expect(text(".github/CODEOWNERS.example")).toMatchInlineSnapshot(`
    "# Replace the team names, and rename this file to CODEOWNERS. If several lines match a file, the last one applies.
    /catalog/ @your-organization/data-platform
    /catalog/tags/ @your-organization/data-governance
    "
  `);

  const before = files();
  expect((await init(["--server", catalog.url, "--yes"])).code).toBe(0);
  expect(files()).toEqual(before);
});

test("what it writes is valid, has the schema for editors in each file, and plans no changes", async () => {
  const { catalog, cwd, init, text, files } = await placeWith(byBob);
  expect((await init(["--server", catalog.url, "--yes", "--workflows", "--action", action])).code).toBe(0);
  const manifests = files().filter((path) => /^catalog\/.*\/.*\.yaml$/.test(path));
  expect(manifests.length).toBe(4);
  for (const path of manifests)
    expect(text(path)).toMatch(/^# yaml-language-server: \$schema=(?:\.\.\/)+\.schema\.json\nkind: /);
  expect(await runCli(["validate"], { cwd })).toMatchObject({ code: 0 });
  const plan = await runCli(["plan", "--server", catalog.url, "--detailed-exitcode"], { cwd });
  expect(plan).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Server: .*\n\nNo changes\. 4 entities in sync\.\n$/),
  });
  expect(await runCli(["fmt", "--check"], { cwd })).toMatchObject({ code: 0 });
  for (const name of ["plan", "apply", "drift"]) {
    const shipped = new URL(`../../examples/github/${name}.yml`, import.meta.url);
    expect(text(`.github/workflows/${name}.yml`)).toBe(withOwnAction(readFileSync(shipped, "utf8")));
  }
});

test.each([
  ["authoritative", { byPeople: 0, unknown: 0 }, "none of these values was set by a person."],
  ["merge", { byPeople: 1, unknown: 1 }, "a person set a value on 1 of them."],
  ["merge", { byPeople: 0, unknown: 1 }, "the catalog does not record who set these values."],
])("it recommends %s where of the assets that have values %j are known", (mode, known, reason) => {
  const { recommended, lines } = adviceBefore({ assets: 1, assigned: 1, ...known });

  expect(recommended).toBe(mode);
  expect(lines.at(-1)).toMatch(
    new RegExp(`^Recommended: ${mode}\\. Of 1 asset that was read, 1 has values .*${reason}$`),
  );
});

test("where the server does not tell who set values it recommends merge", async () => {
  const { catalog, init } = await placeWith(byIngestion);
  const server = await inFrontOf(catalog.url, (_, response, { url }) =>
    url.includes("batchGet") ? response.writeHead(404).end("{}") : undefined,
  );
  const { stderr } = await init(["--server", server, "--yes", "--no-export"]);
  expect(stderr).toContain("Recommended: merge. ");
  expect(stderr).toContain("the catalog does not record who set these values.\n");
});

test("where there are manifests it says what each mode would remove from this catalog", async () => {
  const manifest = "kind: Dataset\nplatform: snowflake\nname: orders\ntags: [pii]\n";
  const { catalog, init, text, files } = await placeWith(byBob, { "catalog/orders.yaml": manifest });
  const { code, stderr } = await init(["--server", catalog.url, "--yes", "--mode", "additive"]);
  expect(code).toBe(0);
  expect(stderr).toMatchInlineSnapshot(`
    "The mode decides what apply does with values in the catalog that the manifests do not declare:
      authoritative  would remove 1 value (tags: 1)
      merge          would remove nothing
      additive       would remove nothing
    Recommended: merge. Of 2 assets that were read, 2 have values that can be managed; a person set a value on 1 of them.
    "
  `);
  expect(text("catalog/datahub-gitops.yaml")).toContain("\nmanage: additive\n");
  expect(files().filter((path) => path.startsWith("catalog/"))).toEqual([
    "catalog/.schema.json",
    "catalog/.settings.schema.json",
    "catalog/datahub-gitops.yaml",
    "catalog/orders.yaml",
  ]);
});

test("it reads only a sample of a catalog, and writes nothing to it", async () => {
  const many = Array.from({ length: 60 }, (_, index): MadeAspect => [
    datasetNamed(`d${index}`),
    "globalTags",
    tagged("bob", "pii"),
  ]);
  const { catalog, init } = await placeWith(many);
  const { stderr } = await init(["--server", catalog.url, "--yes", "--no-export"]);
  expect(stderr).toContain(
    "Of 50 assets that were read, 50 have values that can be managed; a person set a value on 50 of them",
  );
  expect(catalog.requests.length).toBeLessThan(6 + assetKinds.length + 3 * displayNames.length);
  expect(JSON.stringify(catalog.requests.map(({ body }) => body ?? ""))).not.toContain("mutation");
});

test("an answer that means nothing is asked for again", async () => {
  const { catalog, init, text, files } = await placeWith(byBob);
  const answers = [
    "manifests",
    "not a URL",
    catalog.url,
    "overwrite",
    "Additive",
    "perhaps",
    "n",
    "maybe",
    "N",
  ];
  const { code, stderr } = await init([], { answers });
  expect(code).toBe(0);
  expect(stderr).toContain('the server URL "not a URL" is not valid');
  expect(stderr).toContain("Use one of: additive, merge, authoritative.\n");
  expect(stderr.match(/Answer yes or no\.\n/g)).toHaveLength(2);
  expect(text("manifests/datahub-gitops.yaml")).toContain("\nmanage: additive\n");
  expect(files()).toEqual([
    ".github/CODEOWNERS.example",
    ".gitignore",
    "manifests/.schema.json",
    "manifests/.settings.schema.json",
    "manifests/datahub-gitops.yaml",
  ]);
});

test.each<readonly [readonly string[], Readonly<Record<string, string>>, string]>([
  [["--yes"], {}, "use --server <url>"],
  [["--yes"], { DATAHUB_GMS_URL: " " }, "use --server <url>"],
  [["--server", "http://127.0.0.1:1"], {}, "use --yes"],
  [[], { DATAHUB_GMS_URL: "http://127.0.0.1:1" }, "use --yes"],
  [[], {}, "use --server <url> and --yes"],
])("without a terminal %j and %j are not enough", async (argv, env, advice) => {
  const cwd = repositoryWith();
  const ran = await runCli(["init", ...argv], { cwd, env });
  const stderr = `error: init cannot ask questions without a terminal; ${advice}\n`;
  expect(ran).toEqual({ code: 64, stdout: "", stderr });
  expect(filesIn(cwd)).toEqual([]);
});

test("on a terminal an empty answer is no server where none is known", async () => {
  const cwd = repositoryWith();
  const ran = await runCli(["init", "catalog"], { cwd, answers: [""] });
  expect(ran).toMatchObject({ code: 64, stderr: expect.stringContaining("no server given") as unknown });
});

test.each([
  ["does not answer", ["--server", "http://127.0.0.1:1"], {}],
  ["takes another token", [], { DATAHUB_GMS_TOKEN: "wrong-token" }],
])("where the server %s nothing is written", async (_, argv, env) => {
  const guarded = await startCatalog({ dataDir: temporaryDirectory(), port: 0, auth: true });
  onTestFinished(() => guarded.close());
  const cwd = repositoryWith();
  const server = argv.length > 0 ? argv : ["--server", guarded.url];
  const ran = await runCli(["init", ...server, "--yes", "--mode", "merge", "--no-export"], { cwd, env });
  expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^error: /) as unknown });
  expect(filesIn(cwd)).toEqual([]);
});

test("where the export fails all else is set up, and the next commands begin with the export", async () => {
  const { catalog, init, files } = await placeWith(byBob, withSettings);
  const server = await inFrontOf(catalog.url, ({ text }, response) =>
    text.includes("CORP_GROUP") ? response.writeHead(403).end("{}") : undefined,
  );
  const ran = await init(["--server", server, "--yes", "--workflows", "--action", action]);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/error: .*403/) as unknown });
  expect(files()).toContain(".github/CODEOWNERS.example");
  expect(ran.stdout.replaceAll(server, "URL")).toContain(
    "Next:\n  datahub-gitops export --server URL\n  datahub-gitops validate\n  datahub-gitops plan --server URL\n",
  );
});

test("files that exist stay as they are, and are named", async () => {
  const kept = {
    "catalog/datahub-gitops.yaml": "version: 1\nmanage: { tags: merge }\n",
    ".gitignore": "node_modules/\n",
    ".github/CODEOWNERS.example": "mine\n",
    ".github/workflows/plan.yml": "mine\n",
  };
  const { catalog, init, text, files } = await placeWith(byBob, kept);
  const flags = ["--yes", "--workflows", "--action", action, "--no-export", "--mode", "authoritative"];
  const ran = await init(["--server", catalog.url, ...flags], {
    env: { DATAHUB_GMS_URL: catalog.url },
  });
  for (const [path, bytes] of Object.entries(kept)) expect(text(path)).toBe(bytes);
  expect(files()).toHaveLength(6);
  const inPlace = (printed: string): string => printed.replaceAll(catalog.url, "URL");
  const printed = { ...ran, stdout: inPlace(ran.stdout), stderr: inPlace(ran.stderr) };
  expect(printed).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "--mode has no effect, because catalog/datahub-gitops.yaml already sets the modes
    catalog/datahub-gitops.yaml already exists; left unchanged
    .gitignore already exists; left unchanged. Add the line .datahub-gitops/ to it
    .github/workflows/plan.yml already exists; left unchanged
    Set up GitHub for the workflows:
      gh variable set DATAHUB_GMS_URL --body URL
      gh secret set DATAHUB_GMS_TOKEN   # a token that can read the catalog
      gh api --method PUT repos/{owner}/{repo}/environments/datahub
      gh secret set DATAHUB_GMS_TOKEN --env datahub   # a token that can edit the catalog
      gh api --method PUT repos/{owner}/{repo}/environments/datahub-approval   # add the reviewers in the repository settings
    Then require the check \`catalog\`. More information: https://github.com/acme/datahub-gitops/blob/1f6e0c1b1f6e0c1b1f6e0c1b1f6e0c1b1f6e0c1b/docs/ci.md
    .github/CODEOWNERS.example already exists; left unchanged
    ",
      "stdout": "Created .github/workflows/apply.yml
    Created .github/workflows/drift.yml
    Next:
      datahub-gitops export
      datahub-gitops validate
      datahub-gitops plan
    ",
    }
  `);
});

test("a link that leads nowhere is not written through", async () => {
  const { catalog, cwd, init } = await placeWith(byBob, withSettings);
  const target = join(temporaryDirectory(), "elsewhere");
  symlinkSync(target, join(cwd, ".gitignore"));
  const { code, stderr } = await init(["--server", catalog.url, "--yes", "--no-export"]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(".gitignore already exists; left unchanged. Add the line") as unknown,
  });
  expect(() => readFileSync(target)).toThrow("ENOENT");
});

test("a link that leads out of the repository is not followed", async () => {
  const { catalog, cwd, init } = await placeWith(byBob);
  const outside = temporaryDirectory();
  symlinkSync(outside, join(cwd, "linked"));
  const ran = await init(["linked/catalog", "--server", catalog.url, "--yes", "--no-export"]);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot write linked/") as unknown });
  expect(readdirSync(outside)).toEqual([]);
});

test("the names of another directory are those of the commands, of the owners and of the advice", async () => {
  const { catalog, init, text } = await placeWith(byBob, {
    "my meta/datahub-gitops.yaml": "version: 1\n",
  });
  const { stdout } = await init(["my meta", "--server", catalog.url, "--yes", "--workflows", "--no-export"]);
  expect(stdout.replaceAll(catalog.url, "URL")).toContain(
    "Next:\n  datahub-gitops export 'my meta' --server URL\n  datahub-gitops validate 'my meta'\n",
  );
  expect(text(".github/CODEOWNERS.example")).toMatch(/\n\/my\\ meta\/ @[^\n]*\n$/);
});

test("the workflows are filled in with the action, the branch, the directory and the environment", async () => {
  const settings = "version: 1\nenvironments: { eu-prod: {} }\n";
  const { catalog, cwd, init, text, files } = await placeWith(byBob, {
    "my meta/datahub-gitops.yaml": settings,
  });
  gitIn(cwd, "init", "--quiet", "--initial-branch", "it's");
  const flags = ["--env", "eu-prod", "--yes", "--no-export", "--workflows"];
  const { code, stderr } = await init(["my meta", "--server", catalog.url, ...flags, "--action", action]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      "  gh secret set DATAHUB_GMS_TOKEN_EU_PROD --env datahub-eu-prod   # a token that can edit the catalog\n",
    ) as unknown,
  });
  const names = files().filter((path) => path.startsWith(".github/workflows/"));
  expect(names).toEqual(["apply", "drift", "plan"].map((name) => `.github/workflows/${name}-eu-prod.yml`));
  for (const name of names) {
    const workflow = parse(text(name)) as Workflow;
    expect(text(name)).not.toMatch(/(?:plan|apply|drift)\.yml/);
    expect(text(name)).not.toMatch(
      /OWNER|DATAHUB_GMS_(?:URL|TOKEN)\b|refs\/heads\/main|\bcatalog\/|environment: datahub$/m,
    );
    for (const step of Object.values(workflow.jobs).flatMap(({ steps }) => steps)) {
      if (step.uses !== action) continue;
      expect(step.with).toMatchObject({ catalog: "my meta", environment: "eu-prod" });
      if (step.with?.["command"] === "plan")
        expect(step.with).toMatchObject({ "plan-workflow": "plan-eu-prod.yml" });
    }
    const groups = Object.values(workflow.jobs).flatMap(({ concurrency }) => concurrency?.group ?? []);
    for (const group of groups) expect(group).toBe("datahub-gitops-eu-prod");
  }
  const [apply, drift, plan] = names.map((name) => parse(text(name)) as Workflow);
  expect(apply).toMatchObject({
    name: "apply-eu-prod",
    on: { push: { branches: ["it's"], paths: ["my meta/**"] } },
  });
  expect(apply?.jobs["plan"]?.if).toBe("github.ref == 'refs/heads/it''s'");
  expect(apply?.jobs["approve"]?.environment).toBe("datahub-eu-prod-approval");
  expect(apply?.jobs["apply"]?.environment).toBe("datahub-eu-prod");
  expect(drift?.jobs["correct"]?.environment).toBe("datahub-eu-prod");
  expect(Object.keys(plan?.jobs ?? {})).toEqual(["plan", "snapshot", "catalog-eu-prod"]);
});

test("a later run sets the action in workflows that still lack it, and changes nothing else in them", async () => {
  const { catalog, cwd, init, text } = await placeWith(byBob, withSettings);
  const shipped = readFileSync(new URL("../../examples/github/plan.yml", import.meta.url), "utf8");
  const path = ".github/workflows/plan.yml";
  mkdirSync(join(cwd, ".github/workflows"), { recursive: true });
  writeFileSync(join(cwd, path), `# Ours.\n${shipped}`);
  const flags = ["--server", catalog.url, "--yes", "--workflows", "--action", action];
  const first = await init(flags);
  expect(first.stderr).toContain(`Set the action in ${path}\n`);
  expect(first.stdout).toMatch(/^ +git add catalog .*\.github\/workflows\/plan\.yml/m);
  const filled = withOwnAction(shipped);
  expect(text(path)).toBe(`# Ours.\n${filled}`);
  expect((await init(flags)).stderr).toContain(`${path} already exists; left unchanged\n`);
  expect(text(path)).toBe(`# Ours.\n${filled}`);
});

test.each(["acme/datahub-gitops", "acme/datahub-gitops@v1", `datahub-gitops@${"1".repeat(40)}`])(
  "an action that is not pinned by a commit is refused: %s",
  async (text) => {
    const argv = ["init", "--server", "http://127.0.0.1:1", "--yes", "--action", text];
    expect(await runCli(argv, { cwd: repositoryWith() })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("OWNER/NAME@COMMIT") as unknown,
    });
  },
);

test.each([
  ["settings that name another server refuse it", "version: 1\nserver: https://a.example\n", 64],
  ["manifests that are not valid are an error", "kind: Nothing\n", 3],
])("%s before it is asked", async (_, text, code) => {
  const path = code === 64 ? "catalog/datahub-gitops.yaml" : "catalog/a.yaml";
  const cwd = repositoryWith({ [path]: text });
  expect(await runCli(["init", "--server", "http://127.0.0.1:1", "--yes"], { cwd })).toMatchObject({ code });
  expect(filesIn(cwd)).toEqual([path]);
});

test("a local catalog is not named in the settings", async () => {
  const cwd = repositoryWith();
  const { code, stdout } = await runCli(["init", "--local", "--yes", "--quiet", "--no-export"], { cwd });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      "Created catalog/datahub-gitops.yaml\nCreated .gitignore\nCreated catalog/.schema.json\nCreated catalog/.settings.schema.json\nCreated .github/CODEOWNERS.example\n",
  });
  expect(await runCli(["plan", "--local"], { cwd })).toMatchObject({ code: 3 });
});

test("Ctrl-C at the first, a later or the last question ends with 130, and nothing is written", async () => {
  const { catalog, init, files } = await placeWith(byBob);
  for (const answered of [0, 2, 4]) {
    const interruption = new AbortController();
    let asked = 0;
    const meanwhile = async (): Promise<void> => {
      asked += 1;
      if (asked <= answered) return;
      interruption.abort(new Error("interrupted"));
      throw interruption.signal.reason;
    };
    const { signal: interrupted } = interruption;
    const ran = await init([], { answers: ["", catalog.url, "", "", ""], meanwhile, interrupted });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 130, stdout: "" });
    expect({ asked, files: files() }).toEqual({ asked: answered + 1, files: [] });
  }
});
