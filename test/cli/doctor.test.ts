import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, type RunOptions } from "../support/command-line.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import type { StubAnswer } from "../support/stub-server.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";

interface Found {
  readonly id: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  readonly todo?: string;
}

/** A site that has been applied, and whose settings name its server. */
async function healthySite(): Promise<Site> {
  const site = await siteWith({ "a.yaml": tag("a") });
  site.commit({ "catalog/datahub-gitops.yaml": settingsWith(`server: ${site.catalog.url}`) });
  expect(await site.apply()).toMatchObject({ code: 0 });
  return site;
}

async function doctor(
  site: Site,
  options: Partial<RunOptions> = {},
  ...flags: readonly string[]
): Promise<{ readonly code: number; readonly checks: readonly Found[] }> {
  const server = flags.includes("--server") || options.env ? [] : ["--server", site.catalog.url];
  const argv = ["doctor", "--format", "json", ...server, ...flags];
  const { code, stdout, stderr } = await runCli(argv, { cwd: site.root, now: () => new Date(), ...options });
  expect(stdout, stderr).not.toBe("");
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Found[] };
  for (const { status, todo, message } of checks)
    expect({ message, has: todo !== undefined }).toEqual({ message, has: status !== "ok" });
  return { code, checks };
}

test("a set-up that works has no warning and no problem, and nothing is written", async () => {
  const site = await healthySite();
  const before = writesIn(site.catalog).length;

  const { code, checks } = await doctor(site);

  expect(checks.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(code).toBe(0);
  expect(new Set(checks.map(({ id }) => id))).toEqual(
    new Set([
      "settings",
      "manifests",
      "repository",
      "base",
      "address",
      "server",
      "clock",
      "token",
      "privileges",
      "workflows",
    ]),
  );
  expect(writesIn(site.catalog)).toHaveLength(before);
  const { stdout } = await site.run(["doctor"], { now: () => new Date() });
  expect(stdout).toMatch(/^ok {7}settings {4}.*\n[\s\S]*\n\n\d+ ok, 0 warnings, 0 problems\.\n$/);
});

interface WrongSetUp {
  /** Makes it wrong, and answers how `doctor` is run then. */
  readonly with: (
    site: Site,
  ) => Promise<{ readonly options?: Partial<RunOptions>; readonly flags?: readonly string[] } | void>;
  readonly id: string;
  readonly status: "warning" | "problem";
  readonly message: RegExp;
  readonly todo: RegExp;
}

const workflow = (action: string, checkout: string): string =>
  `jobs:\n  plan:\n    steps:\n      - uses: actions/checkout@v7\n${checkout}      - uses: ${action}\n        with:\n          command: plan\n`;

const wrong: Readonly<Record<string, WrongSetUp>> = {
  "settings that are not valid": {
    with: async (site) => void site.commit({ "catalog/datahub-gitops.yaml": "version: 1\nmanage: all\n" }),
    id: "settings",
    status: "problem",
    message: /manage/,
    todo: /validate/,
  },
  "settings that name no server": {
    with: async (site) => void site.commit({ "catalog/datahub-gitops.yaml": settingsWith() }),
    id: "settings",
    status: "warning",
    message: /no server/,
    todo: /`server`/,
  },
  "manifests that are not valid": {
    with: async (site) => void site.commit({ "catalog/b.yaml": "kind: Tag\nid: b\ncolour: red\n" }),
    id: "manifests",
    status: "problem",
    message: /1 problem: .*colour/,
    todo: /validate/,
  },
  "manifests that Git ignores": {
    with: async (site) => {
      site.commit({ ".gitignore": "catalog/c.yaml\n" });
      writeFileSync(join(site.root, "catalog/c.yaml"), tag("c"));
    },
    id: "ignored",
    status: "warning",
    message: /c\.yaml/,
    todo: /\.gitignore/,
  },
  "no Git repository": {
    with: async (site) => {
      rmSync(join(site.root, ".git"), { recursive: true });
    },
    id: "repository",
    status: "warning",
    message: /no Git repository/,
    todo: /git init/,
  },
  "a shallow clone": {
    with: async (site) => {
      const head = site.git("rev-parse", "HEAD");
      writeFileSync(join(site.root, ".git/shallow"), `${head}\n`);
    },
    id: "repository",
    status: "problem",
    message: /shallow/,
    todo: /fetch-depth: 0/,
  },
  "a base that is not there": {
    with: async (site) => void site.git("update-ref", "-d", appliedRef),
    id: "base",
    status: "warning",
    message: /refs\/datahub-gitops\/applied/,
    todo: /git fetch origin/,
  },
  "no address": {
    with: async () => ({ options: { env: { OTHER: "1" } } }),
    id: "address",
    status: "problem",
    message: /no server given/,
    todo: /DATAHUB_GMS_URL/,
  },
  "another server than the settings name": {
    with: async () => ({ flags: ["--server", "http://127.0.0.1:1"] }),
    id: "address",
    status: "problem",
    message: /allow only the server/,
    todo: /DATAHUB_GMS_URL/,
  },
  "the address of something else": {
    with: async (site) => {
      const server = await inFrontOf(site.catalog.url, () => undefined, { name: "another program" });
      site.commit({ "catalog/datahub-gitops.yaml": settingsWith(`server: ${server}`) });
      return { flags: ["--server", server] };
    },
    id: "server",
    status: "problem",
    message: /not a DataHub metadata service/,
    todo: /address/,
  },
  "an old release": {
    with: async (site) => {
      const config = { noCode: "true", versions: { "acryldata/datahub": { version: "v0.13.1" } } };
      const server = await inFrontOf(site.catalog.url, () => undefined, config);
      site.commit({
        "catalog/datahub-gitops.yaml": settingsWith(`server: ${server}`, "writes: conditional"),
      });
      return { flags: ["--server", server] };
    },
    id: "server",
    status: "problem",
    message: /v?0\.13\.1 has no conditional writes/,
    todo: /0\.14/,
  },
  "a clock that is wrong": {
    with: async () => ({ options: { now: () => new Date(Date.now() - 3_600_000) } }),
    id: "clock",
    status: "warning",
    message: /3(?:599|60\d) s behind/,
    todo: /clock/,
  },
  "a token that the server rejects": {
    with: async (site) => {
      const server = await inFrontOf(site.catalog.url, ({ query }, response) => {
        if (query === "") return undefined;
        response.statusCode = 401;
        return {};
      });
      site.commit({ "catalog/datahub-gitops.yaml": settingsWith(`server: ${server}`) });
      return { options: { env: { DATAHUB_GMS_URL: server, DATAHUB_GMS_TOKEN: "wrong-token" } } };
    },
    id: "token",
    status: "problem",
    message: /rejected the token/,
    todo: /new access token/,
  },
  "a token without a privilege": {
    with: async (site) => {
      const server = await inFrontOf(site.catalog.url, ({ query }) => {
        if (!query.includes("ReadPrivileges")) return undefined;
        return { data: { platform: { privileges: [] }, p0: { privileges: ["VIEW_ENTITY_PAGE"] } } };
      });
      site.commit({ "catalog/datahub-gitops.yaml": settingsWith(`server: ${server}`) });
      return { flags: ["--server", server] };
    },
    id: "privileges",
    status: "problem",
    message: /EDIT_ENTITY \("Edit Entity"\) on urn:li:tag:a/,
    todo: /Permissions/,
  },
  "a workflow without its action": {
    with: async (site) =>
      void site.commit({
        ".github/workflows/plan.yml": workflow(
          `OWNER/datahub-gitops@${"0".repeat(40)}`,
          "        with:\n          fetch-depth: 0\n",
        ),
      }),
    id: "workflows",
    status: "problem",
    message: /plan\.yml does not name the action/,
    todo: /--action/,
  },
  "a workflow without the history": {
    with: async (site) =>
      void site.commit({
        ".github/workflows/plan.yml": workflow(`acme/datahub-gitops@${"1".repeat(40)}`, ""),
      }),
    id: "workflows",
    status: "problem",
    message: /plan\.yml checks out only a part of the history/,
    todo: /fetch-depth: 0/,
  },
};

test.each([
  ["an unknown key", "version: 1\nserver: https://pinned.example.com\nfoo: 1\n"],
  [
    "environments of which none is chosen",
    "version: 1\nenvironments:\n  prod: { server: https://pinned.example.com, paths: ['*.yaml'] }\n",
  ],
])("settings with %s send no request, since the server that they allow is not known", async (_, settings) => {
  const site = await healthySite();
  site.commit({ "catalog/datahub-gitops.yaml": settings });
  const before = site.catalog.requests.length;

  const { code, checks } = await doctor(site, { env: { DATAHUB_GMS_URL: site.catalog.url } });

  expect(site.catalog.requests).toHaveLength(before);
  expect(checks.filter(({ status }) => status !== "ok")).toEqual([
    expect.objectContaining({ id: "settings", status: "problem" }),
    {
      id: "server",
      status: "warning",
      message: "the server and the token were not checked: it is not known which server the settings allow",
      todo: "solve the problem with the settings, and run doctor again",
    },
  ]);
  expect(code).toBe(1);
});

const rule = "kind: Rule\nid: r\nmatch: { kind: Dataset }\ndeclare: { tags: [a] }\n";

test.each([
  ["and entities", { "catalog/r.yaml": rule }, [/^the token may write .*, apart from rules$/, /1 rule$/]],
  ["alone", { "catalog/a.yaml": rule }, [/1 rule$/]],
])(
  "manifests of rules %s have the warning that what rules match was not checked",
  async (_, files, messages) => {
    const site = await healthySite();
    site.commit(files);

    const { code, checks } = await doctor(site);

    const found = checks.filter(({ id }) => id === "privileges");
    expect(found.map(({ message }) => message)).toEqual(messages.map((each) => expect.stringMatching(each)));
    expect(found.at(-1)).toMatchObject({ status: "warning", todo: expect.stringMatching(/Permissions/) });
    expect(code).toBe(0);
  },
);

test.each<[string, StubAnswer]>([
  [
    "fails",
    (_, response) => {
      response.statusCode = 500;
      return {};
    },
  ],
  ["is refused", () => ({ data: null, errors: [{ message: "Introspection has been disabled" }] })],
])("where the question what the release has %s, it is not known what it lacks", async (_, refuse) => {
  const site = await healthySite();
  const server = await inFrontOf(site.catalog.url, (asked, ...rest) =>
    asked.query.startsWith("query ProbeType") ? refuse(asked, ...rest) : undefined,
  );
  site.commit({
    "catalog/datahub-gitops.yaml": settingsWith(`server: ${server}`),
    "catalog/orders.yaml":
      "kind: Dataset\nplatform: hive\nname: orders\nlinks: [{ url: https://a.example.com, label: a }]\n",
  });

  const { code, checks } = await doctor(site, {}, "--server", server);

  expect(checks.filter(({ status }) => status !== "ok")).toEqual([
    expect.objectContaining({
      id: "release",
      status: "warning",
      message: expect.stringMatching(/^it is not known what the release lacks: /),
    }),
  ]);
  expect(checks.map(({ id }) => id)).toContain("privileges");
  expect(code).toBe(0);
});

const unreadable: Readonly<Record<string, (workflows: string) => void>> = {
  "other.yml": (workflows) => mkdirSync(join(workflows, "other.yml"), { recursive: true }),
  "gone.yml": (workflows) => {
    mkdirSync(workflows, { recursive: true });
    symlinkSync("nowhere", join(workflows, "gone.yml"));
  },
  "outside.yml": (workflows) => {
    const outside = join(temporaryDirectory(), "plan.yml");
    writeFileSync(outside, "jobs: {}\n");
    mkdirSync(workflows, { recursive: true });
    symlinkSync(outside, join(workflows, "outside.yml"));
  },
  ".github/workflows": (workflows) => {
    mkdirSync(join(workflows, ".."));
    writeFileSync(workflows, "jobs: {}\n");
  },
};

test.each(Object.entries(unreadable))(
  "where %s cannot be read, that is a warning, and all other checks run",
  async (name, make) => {
    const site = await healthySite();
    make(join(site.root, ".github/workflows"));

    const { code, checks } = await doctor(site);

    expect(checks.filter(({ status }) => status !== "ok")).toEqual([
      expect.objectContaining({
        id: "workflows",
        status: "warning",
        message: expect.stringMatching(`^${name} cannot be read: `),
      }),
    ]);
    expect(checks.filter(({ id }) => id === "workflows")).toHaveLength(1);
    expect(checks.map(({ id }) => id)).toContain("privileges");
    expect(code).toBe(0);
  },
);

test("a workflow that cannot be read does not hide what is wrong with another", async () => {
  const site = await healthySite();
  mkdirSync(join(site.root, ".github/workflows/other.yml"), { recursive: true });
  site.write({ ".github/workflows/plan.yml": workflow(`acme/datahub-gitops@${"1".repeat(40)}`, "") });

  const { checks } = await doctor(site);

  const found = checks.filter(({ id }) => id === "workflows").map(({ message }) => message);
  expect(found).toEqual([
    expect.stringMatching(/^other\.yml cannot be read: it is a directory/),
    expect.stringMatching(/^plan\.yml checks out only a part of the history/),
  ]);
});

const action = `acme/datahub-gitops@${"1".repeat(40)}`;

async function workflowsFound(text: string): Promise<readonly Found[]> {
  const site = await healthySite();
  site.write({ ".github/workflows/catalog.yml": text });
  const { checks } = await doctor(site);
  return checks.filter(({ id }) => id === "workflows");
}

test("the workflows that init writes are complete", async () => {
  const site = await healthySite();
  expect(await site.run(["init", "--yes", "--workflows", "--action", action])).toMatchObject({ code: 0 });

  const { checks } = await doctor(site);

  expect(checks.filter(({ id }) => id === "workflows")).toEqual([
    { id: "workflows", status: "ok", message: "apply.yml, drift.yml, plan.yml are complete" },
  ]);
});

test("workflows are read as YAML, and only the checkouts before the action need the history", async () => {
  const found = await workflowsFound(`
# Instead of OWNER/datahub-gitops@${"0".repeat(40)}
jobs:
  plan:
    steps:
      - uses: "actions/checkout@v7"
        with:
          fetch-depth: "0"
      - uses: ${action}
        with:
          command: "plan" # note
      - uses: actions/checkout@v7
  apply:
    steps:
      - { uses: actions/checkout@v7, with: { fetch-depth: 0 } }
      - { uses: ${action}, with: { command: apply } }
  drift:
    steps:
      - uses: actions/checkout@v7
        with: { fetch-depth: "\${{ vars.DEPTH }}" }
      - uses: ${action}
        with: { 'command': 'drift' }
  lint:
    steps:
      - uses: actions/checkout@v7
      - run: npm run lint
`);

  expect(found).toEqual([{ id: "workflows", status: "ok", message: "catalog.yml is complete" }]);
});

test("each checkout before the action needs the history, in each job", async () => {
  const found = await workflowsFound(`
jobs:
  plan:
    steps:
      - { uses: actions/checkout@v7, with: { fetch-depth: 0 } }
      - { uses: ${action}, with: { command: plan } }
  apply:
    steps:
      - { uses: actions/checkout@v7, with: { fetch-depth: 0 } }
      - { uses: actions/checkout@v7, with: { fetch-depth: 10 } }
      - { uses: ${action}, with: { command: apply } }
  drift:
    steps:
      - uses: actions/checkout@v7 # fetch-depth: 0
      - { uses: ${action}, with: { command: drift } }
`);

  expect(found.map(({ message }) => message)).toEqual([
    "catalog.yml checks out only a part of the history in the job apply",
    "catalog.yml checks out only a part of the history in the job drift",
  ]);
});

test("a workflow that names the action only in a comment does not use it", async () => {
  const found = await workflowsFound(`# See ${action}\njobs: {}\n`);

  expect(found.map(({ message }) => message)).toEqual(["no workflow for GitHub uses this program"]);
});

test("a workflow with the action that is not YAML is one that cannot be read", async () => {
  const found = await workflowsFound(`jobs:\n  plan: {}\n  plan: { steps: [{ uses: ${action} }] }\n`);

  expect(found).toMatchObject([
    { status: "warning", message: "catalog.yml cannot be read: line 3: duplicate key `plan`: keep one" },
  ]);
});

test.each(Object.entries(wrong))(
  "%s is found, with what to do",
  async (_, { with: make, id, status, message, todo }) => {
    const site = await healthySite();
    const { options = {}, flags = [] } = (await make(site)) ?? {};

    const { code, checks } = await doctor(site, options, ...flags);

    const found = checks.filter((check) => check.id === id && check.status === status);
    expect(
      found.some((check) => message.test(check.message) && todo.test(check.todo ?? "")),
      JSON.stringify(checks, null, 1),
    ).toBe(true);
    expect(code).toBe(checks.some((check) => check.status === "problem") ? 1 : 0);
  },
);
