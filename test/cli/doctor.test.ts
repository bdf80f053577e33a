import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli, type RunOptions } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf, withoutBatches, withoutOpenApi } from "../support/in-front-of.ts";
import type { StubAnswer } from "../support/stub-server.ts";
import { appliedRef, settingsWith, type Site, siteOnce, siteWith, writesIn } from "../support/site.ts";

interface Found {
  readonly id: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  readonly todo?: string;
}

/** What `doctor` found of a capability. */
interface Shown {
  readonly id: string;
  readonly isThere: boolean | null;
  readonly without: string;
}

/** A site that has been applied. */
const appliedSite = siteOnce(async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const aspects = [["urn:li:tag:a", "tagProperties", { name: "a" }]] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  site.git("update-ref", appliedRef, "HEAD");
  return site;
});

/** A site that has been applied, and whose settings name its server. */
async function healthySite(): Promise<Site> {
  const site = await appliedSite();
  allow(site, site.catalog.url);
  return site;
}

/** Writes settings that allow only this server. */
const allow = (site: Site, server: string, ...settings: readonly string[]): void =>
  site.write({ "catalog/datahub-gitops.yaml": settingsWith(`server: ${server}`, ...settings) });

async function doctor(
  site: Site,
  options: Partial<RunOptions> = {},
  ...flags: readonly string[]
): Promise<{
  readonly code: number;
  readonly checks: readonly Found[];
  readonly capabilities: readonly Shown[];
}> {
  const server = flags.includes("--server") || options.env ? [] : ["--server", site.catalog.url];
  const argv = ["doctor", "--format", "json", ...server, ...flags];
  const { code, stdout, stderr } = await runCli(argv, { cwd: site.root, now: () => new Date(), ...options });
  expect(stdout, stderr).not.toBe("");
  const { checks, capabilities } = JSON.parse(stdout) as {
    readonly checks: readonly Found[];
    readonly capabilities: readonly Shown[];
  };
  for (const { status, todo, message } of checks)
    expect({ message, has: todo !== undefined }).toEqual({ message, has: status !== "ok" });
  return { code, checks, capabilities };
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
      "capabilities",
      "token",
      "view",
      "privileges",
      "workflows",
    ]),
  );
  expect(writesIn(site.catalog)).toHaveLength(before);
  const { stdout } = await site.run(["doctor"], { now: () => new Date() });
  expect(stdout).toMatch(/^ok {7}settings {6}.*\n[\s\S]*\n\n\d+ ok, 0 warnings, 0 problems\.\n$/);
});

/** What is wrong with a set-up: by its id and status, what is said, and what to do. */
function wrongIn(checks: readonly Found[]): readonly unknown[] {
  return checks
    .filter(({ status }) => status !== "ok")
    .map(({ id, status, message, todo = "" }) => [`${status} ${id}`, `${message}: ${todo}`]);
}

const finding = (what: string, says: RegExp): unknown => [what, expect.stringMatching(says)];

test("what is wrong with settings, repository, clock, token and workflows is found in one go, with what to do", async () => {
  const site = await appliedSite();
  site.git("update-ref", "-d", appliedRef);
  site.write({
    ".gitignore": "catalog/c.yaml\n",
    "catalog/c.yaml": tag("c"),
    ".github/workflows/plan.yml": `jobs:\n  plan:\n    steps:\n      - uses: OWNER/datahub-gitops@${"0".repeat(40)}\n        with: { command: plan }\n`,
  });
  const server = await inFrontOf(site.catalog.url, ({ query }) => {
    if (!query.includes("ReadPrivileges")) return undefined;
    return { data: { platform: { privileges: [] }, p0: { privileges: ["VIEW_ENTITY_PAGE"] } } };
  });

  const late = { now: () => new Date(Date.now() - 3_600_000) };
  const { code, checks } = await doctor(site, late, "--server", server);

  expect(code).toBe(1);
  expect(wrongIn(checks)).toEqual([
    finding("warning settings", /no server.*`server`/),
    finding("warning ignored", /c\.yaml.*\.gitignore/),
    finding("warning base", /refs\/datahub-gitops\/applied.*git fetch origin/),
    finding("warning clock", /3(?:59\d|60\d) s behind the server.*clock/),
    finding("problem privileges", /EDIT_ENTITY \("Edit Entity"\) on urn:li:tag:a.*Permissions/),
    finding("problem workflows", /plan\.yml does not specify the action.*--action/),
    finding("warning workflows", /no workflow runs apply or drift/),
  ]);
});

test("manifests that are not valid, a shallow clone and no address are found, with what to do", async () => {
  const site = await healthySite();
  site.write({ "catalog/b.yaml": "kind: Tag\nid: b\ncolour: red\n" });
  writeFileSync(join(site.root, ".git/shallow"), `${site.git("rev-parse", "HEAD")}\n`);

  const { code, checks } = await doctor(site, { env: { OTHER: "1" } });

  expect(code).toBe(1);
  expect(wrongIn(checks)).toEqual([
    finding("problem manifests", /1 problem: .*colour.*validate/),
    finding("problem repository", /shallow.*fetch-depth: 0/),
    finding("problem address", /no server given.*DATAHUB_GMS_URL/),
  ]);
});

test("no Git repository and another server than the settings name are found, with what to do", async () => {
  const site = await healthySite();
  rmSync(join(site.root, ".git"), { recursive: true });

  const { code, checks } = await doctor(site, {}, "--server", "http://127.0.0.1:1");

  expect(code).toBe(1);
  expect(wrongIn(checks)).toEqual([
    finding("warning repository", /not in a Git repository.*git init/),
    [
      "problem address",
      expect.stringMatching(
        `allow only the server.*set DATAHUB_GMS_URL to ${site.catalog.url}, or correct .server. in the settings`,
      ),
    ],
  ]);
});

test("without manifests doctor names the command that makes them, and an action that is named by a tag is found", async () => {
  const site = await healthySite();
  site.write({
    ".github/workflows/all.yml": `jobs:\n  all:\n    steps:\n${["plan", "apply", "drift"].map((name) => `      - uses: acme/datahub-gitops@v1\n        with: { command: ${name} }\n`).join("")}`,
  });
  const { checks } = await doctor(site, {});
  expect(wrongIn(checks)).toEqual([
    finding("warning workflows", /all\.yml uses the action at v1, which can later.*40-digit/),
  ]);

  const empty = await runCli(["doctor", "nowhere", "--format", "json"], { cwd: site.root });
  const found = (JSON.parse(empty.stdout) as { checks: readonly Found[] }).checks;
  expect(wrongIn(found)).toContainEqual(finding("problem manifests", /nowhere.*datahub-gitops init/));
  expect(found.filter(({ id }) => id === "repository")).toEqual([]);
});

test("the address of something else is found, with what to do", async () => {
  const site = await healthySite();
  const server = await inFrontOf(site.catalog.url, () => undefined, { name: "another program" });
  allow(site, server);

  const { checks } = await doctor(site, {}, "--server", server);

  expect(wrongIn(checks)).toEqual([finding("problem server", /not a DataHub metadata service.*URL/)]);
});

test("a server without conditional writes and a token that it rejects are found, with what to do", async () => {
  const site = await healthySite();
  const config = { noCode: "true", versions: { "acryldata/datahub": { version: "v1.7.0" } } };
  const rejecting: StubAnswer = (asked, response, incoming) => {
    if (asked.query === "") return withoutBatches(asked, response, incoming);
    response.statusCode = 401;
    return {};
  };
  const server = await inFrontOf(site.catalog.url, rejecting, config);
  allow(site, server, "writes: conditional");

  const env = { DATAHUB_GMS_URL: server, DATAHUB_GMS_TOKEN: "wrong-token" };
  const { code, checks } = await doctor(site, { env });

  expect(code).toBe(1);
  expect(wrongIn(checks)).toEqual([
    finding("problem server", /1\.7\.0 does not support conditional writes.*0\.14/),
    finding("problem token", /rejected the token.*create an access token/),
  ]);
});

test("what the server lacks of what only some have is shown, with what follows", async () => {
  const site = await healthySite();
  const types = /name: "(?:TagAssociation|SearchFlags)"/;
  const server = await inFrontOf(site.catalog.url, (asked, ...rest) =>
    types.test(asked.query) ? { data: { __type: null } } : withoutBatches(asked, ...rest),
  );
  allow(site, server);

  const { code, checks, capabilities } = await doctor(site, {}, "--server", server);

  const lacked = ["tag-attribution", "hidden-stages"];
  expect(code).toBe(0);
  expect(wrongIn(checks)).toEqual([
    finding("warning server", /not support conditional writes/),
    finding("warning capabilities", new RegExp(`^the server lacks ${lacked.join(", ")}: `)),
  ]);
  expect(capabilities.filter(({ isThere }) => isThere === false).map(({ id }) => id)).toEqual([
    "conditional-writes",
    "aspect-batches",
    ...lacked,
  ]);
  const { stdout } = await runCli(["doctor", "--server", server], { cwd: site.root, now: () => new Date() });
  expect(stdout).toMatch(
    /\nno +tag-attribution +a stored source for each tag.*\n +Without it: tags are written without a source/,
  );
  expect(stdout).toMatch(/\nyes +owner-attribution +a stored source for each owner.*\nyes/);
});

test("a server whose OpenAPI cannot be reached is not said to need an upgrade", async () => {
  const site = await healthySite();
  const server = await inFrontOf(site.catalog.url, withoutOpenApi);
  allow(site, server, "writes: conditional", "reads: openapi");

  const { code, checks, capabilities } = await doctor(site, {}, "--server", server);

  expect(code).toBe(0);
  expect(wrongIn(checks)).toEqual([
    finding(
      "warning server",
      /does not respond to requests to `\/openapi\/`.*one at a time.*`reads: openapi`: allow requests/,
    ),
  ]);
  expect(capabilities.filter((each) => each.isThere !== true).map(({ id }) => id)).toEqual([
    "aspect-batches",
  ]);
});

test("a feature flag that is off is no fault of the release", async () => {
  const site = await siteWith({ "a.yaml": tag("a") }, undefined, { oneProductPerAsset: true });

  const { checks } = await doctor(site);

  expect(checks.filter(({ id }) => id === "capabilities")).toEqual([
    {
      id: "capabilities",
      status: "ok",
      message:
        "several-data-products is turned off on the server: an asset that joins a data product leaves its previous one, and the plan shows this",
    },
  ]);
});

/** An access token as DataHub makes them, which ends after so many days. */
function tokenFor(days: number): string {
  const parts = [{ alg: "HS256" }, { sub: "ci", exp: Math.floor(Date.now() / 1000) + days * 86_400 + 60 }];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")), "s3cret"].join(
    ".",
  );
}

test.each([
  [
    "ends in less than 30 days",
    tokenFor(29),
    [finding("warning token", /^expires on \d{4}-\d\d-\d\d, in 29 days: create an/)],
  ],
  [
    "has ended for a server with another clock",
    tokenFor(-1),
    [finding("warning token", /^expired on \d{4}-\d\d-\d\d: create an/)],
  ],
  ["ends later", tokenFor(30), []],
  ["does not say when it ends", "opaque", []],
])("a token that %s has the warning that goes with it, and is not shown", async (_, token, expected) => {
  const site = await healthySite();

  const { code, checks } = await doctor(site, {
    env: { DATAHUB_GMS_URL: site.catalog.url, DATAHUB_GMS_TOKEN: token },
  });

  expect(code).toBe(0);
  expect(wrongIn(checks)).toEqual(expected);
  expect(JSON.stringify(checks)).not.toContain(token.slice(-20));
});

test("settings that are not valid are found, with what to do", async () => {
  const site = await appliedSite();
  site.write({ "catalog/datahub-gitops.yaml": "version: 1\nmanage: all\n" });

  const { checks } = await doctor(site);

  expect(wrongIn(checks)[0]).toEqual(finding("problem settings", /manage.*validate/));
});

test.each([
  ["an unknown key", "version: 1\nserver: https://pinned.example.com\nfoo: 1\n"],
  [
    "environments of which none is chosen",
    "version: 1\nenvironments:\n  prod: { server: https://pinned.example.com, paths: ['*.yaml'] }\n",
  ],
])("settings with %s send no request, since the server that they allow is not known", async (_, settings) => {
  const site = await healthySite();
  site.write({ "catalog/datahub-gitops.yaml": settings });
  const before = site.catalog.requests.length;

  const { code, checks } = await doctor(site, { env: { DATAHUB_GMS_URL: site.catalog.url } });

  expect(site.catalog.requests).toHaveLength(before);
  expect(checks.filter(({ status }) => status !== "ok")).toEqual([
    expect.objectContaining({ id: "settings", status: "problem" }),
    {
      id: "server",
      status: "warning",
      message: "the server and token were not checked, because the settings could not be read",
      todo: "fix the settings, and run doctor again",
    },
  ]);
  expect(code).toBe(1);
});

const rule = "kind: Rule\nid: r\nmatch: { kind: Dataset }\ndeclare: { tags: [a] }\n";

test("manifests of rules alone have the warning that what rules match was not checked", async () => {
  const site = await healthySite();
  site.write({ "catalog/a.yaml": rule });

  const { code, checks } = await doctor(site);

  expect(code).toBe(0);
  expect(wrongIn(checks)).toEqual([finding("warning privileges", /1 rule matches: .*Permissions/)]);
});

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
  allow(site, server);
  site.write({
    "catalog/rule.yaml": rule,
    "catalog/orders.yaml":
      "kind: Dataset\nplatform: hive\nname: orders\nlinks: [{ url: https://a.example.com, label: a }]\n",
  });

  const { code, checks } = await doctor(site, {}, "--server", server);

  expect(code).toBe(0);
  expect(wrongIn(checks)).toEqual([
    finding("warning capabilities", /could not determine.*introspection/),
    finding("warning release", /^could not determine which features the release lacks: /),
    finding("warning privileges", /^not checked for the assets that /),
  ]);
  expect(checks.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^the token is allowed to write .*, not counting rules$/),
  );
});
