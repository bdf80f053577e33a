import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { appliedRef, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import type { StubRequest } from "../support/stub-server.ts";

const orders = datasetNamed("orders");
const dataset = "kind: Dataset\nplatform: snowflake\nname: orders\n";
const tag = (id: string, more: object = {}): MadeAspect => [
  `urn:li:tag:${id}`,
  "tagProperties",
  { name: id, ...more },
];
const tagged = (...ids: readonly string[]): MadeAspect => [
  orders,
  "globalTags",
  { tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) },
];
const domain = (id: string): MadeAspect => [`urn:li:domain:${id}`, "domainProperties", { name: id }];

/** What a server does with a write or a read beside passing it on, or instead. */
interface Faults {
  /** Whether a mutation is answered as if it had been carried out. */
  readonly swallows?: (query: string) => boolean;
  /** What happens to a reading once something was written; it is passed on unless it failed. */
  readonly readBack?: (request: StubRequest, fail: () => void) => void | Promise<void>;
}

interface Applied {
  readonly ran: Ran;
  readonly site: Site;
  readonly outcomes: readonly Readonly<Record<string, unknown>>[];
  readonly unproved?: string;
  /** The URNs that were asked for after the first write. */
  readonly readBack: readonly (readonly string[])[];
}

async function applied(
  manifest: string,
  aspects: readonly MadeAspect[],
  faults: Faults,
  options: { readonly flags?: readonly string[]; readonly interrupted?: AbortSignal } = {},
): Promise<Applied> {
  const site = await siteWith({ "all.yaml": manifest });
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  const readBack: (readonly string[])[] = [];
  let isWritten = false;
  const server = await inFrontOf(site.catalog.url, async (request, response, incoming) => {
    const { query, variables } = request;
    const isWrite = query.startsWith("mutation") || incoming.url.startsWith("/aspects?");
    if (isWrite) {
      isWritten = true;
      if (faults.swallows?.(query)) {
        return { data: Object.fromEntries(Object.keys(variables).map((name) => [name.split("_")[0], true])) };
      }
      await incoming.passTo(site.catalog.url, response);
      return undefined;
    }
    if (isWritten && Array.isArray(variables["urns"])) readBack.push(variables["urns"] as string[]);
    const fail = (): void => void response.writeHead(503).end();
    if (isWritten) await faults.readBack?.(request, fail);
    return undefined;
  });
  const argv = ["apply", "--auto-approve", "--format", "json", "--server", server];
  const { flags = [], interrupted } = options;
  const ran = await runCli([...argv, ...flags], { cwd: site.root, ...(interrupted && { interrupted }) });
  return { ran, site, readBack, ...(JSON.parse(ran.stdout) as Pick<Applied, "outcomes" | "unproved">) };
}

// What is proved, and what has failed, is in `test/plan/recheck/verified.test.ts`.

test("only what was changed is read back, and an addition that was answered and not carried out has failed", async () => {
  const { ran, site, outcomes, readBack } = await applied(
    `- { ${dataset.trim().split("\n").join(", ")}, domain: d, tags: [a, b] }\n- { kind: Tag, id: b, name: b }\n`,
    [tagged(), tag("a"), tag("b"), domain("d")],
    { swallows: (query) => query.includes("addTags") },
  );

  expect(ran.code).toBe(7);
  // Four times more than once, because replicas lag.
  expect(readBack).toEqual(Array.from({ length: 5 }, () => [orders]));
  expect(outcomes).toEqual([
    {
      status: "failed",
      urn: orders,
      facet: "domain",
      operation: "setDomain",
      error:
        "not confirmed: the catalog does not show the written values; they were overwritten, or reads lag behind writes",
      expected: "urn:li:domain:d",
      found: null,
    },
    {
      status: "failed",
      urn: orders,
      facet: "tags",
      operation: "addTags",
      elements: ["urn:li:tag:a", "urn:li:tag:b"],
      error:
        "not confirmed: the catalog does not show the written values; they were overwritten, or reads lag behind writes",
      expected: ["urn:li:tag:a", "urn:li:tag:b"],
      found: [],
    },
  ]);
  expect(site.at()).toBeUndefined();
});

test("a deletion that the server answered and did not carry out has failed", async () => {
  const site = await siteWith({ "all.yaml": "- { kind: Tag, id: a }\n- { kind: Tag, id: b }\n" });
  await site.catalog.load(metadataFile(temporaryDirectory(), [tag("a"), tag("b")]));
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/all.yaml": "- { kind: Tag, id: a }\n" });
  const server = await inFrontOf(site.catalog.url, ({ query }) =>
    query.startsWith("mutation") ? { data: { o0: true } } : undefined,
  );

  const { code, stdout } = await runCli(
    ["apply", "--auto-approve", "--prune", "--max-deletes", "1", "--server", server],
    { cwd: site.root },
  );

  expect(code).toBe(7);
  expect(stdout).toContain(
    [
      "failed: delete urn:li:tag:b  catalog/all.yaml:2:5 in the base",
      "    not confirmed: the catalog does not show the written values; they were overwritten, or reads lag behind writes",
      "    expected absent",
      "    found    present",
      "Applied 0 operations, 1 failed, 0 skipped.",
    ].join("\n"),
  );
});

test("a result that cannot be read back leaves the outcomes as they are: 1, and the ref stays", async () => {
  const { ran, site, outcomes, unproved } = await applied(`${dataset}tags: [a]\n`, [tagged(), tag("a")], {
    readBack: (_, fail) => fail(),
  });

  expect(ran.code).toBe(1);
  expect(outcomes).toMatchObject([{ status: "applied", operation: "addTags" }]);
  expect(unproved).toContain("HTTP 503");
  expect(site.at()).toBeUndefined();
});

test("with --no-verify nothing is read back", async () => {
  const { ran, readBack } = await applied(
    `${dataset}tags: [a]\n`,
    [tagged(), tag("a")],
    { swallows: () => true },
    { flags: ["--no-verify"] },
  );

  expect(ran.code).toBe(0);
  expect(readBack).toEqual([]);
});

test("Ctrl-C ends the reading back at once, and what was applied is reported as such", async () => {
  const interruption = new AbortController();
  const { ran, outcomes } = await applied(
    `${dataset}tags: [a]\n`,
    [tagged(), tag("a")],
    {
      // It never answers: who waited for it would wait for ever.
      readBack: () => {
        interruption.abort(new Error("interrupted"));
        return new Promise(() => {});
      },
    },
    { interrupted: interruption.signal },
  );

  expect(ran.code).toBe(130);
  expect(outcomes).toMatchObject([{ status: "applied" }]);
});
