import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { desiredFrom, desiredOf, withFiles } from "../../../support/manifest-files.ts";
import { readDesired } from "../../../../src/manifests/documents/desired-state.ts";
import { entityManifest } from "../../../../src/manifests/edit/export/entity-manifest.ts";
import {
  type ExportDirectory,
  exportedFiles,
  type FileChange,
} from "../../../../src/manifests/edit/export/exported-files.ts";
import type { Urn } from "../../../../src/model/urn.ts";
import { nothingIgnored } from "../../../../src/plan/base/ignore.ts";

type Texts = Readonly<Record<string, string>>;

interface Given extends Partial<Pick<ExportDirectory, "force" | "namesSchema" | "isNamed" | "isInScope">> {
  /** The files below the catalog directory; none by default. */
  readonly files?: Texts;
  /** The files of the last applied commit; none where nothing was applied. */
  readonly applied?: Texts;
  /** Files that are gone. */
  readonly deleted?: Texts;
  /** What the catalog has, as manifests. */
  readonly live: string;
  /** Display names. */
  readonly names?: Readonly<Record<string, string>>;
}

const inCatalog = (files: Texts): Texts =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`catalog/${name}`, text]));

/** What becomes of the file of each entity that the catalog has. */
async function exported(given: Given): Promise<readonly (FileChange | undefined)[]> {
  const { files = {}, applied = {}, deleted = {}, live, names = {}, ...more } = given;
  const { state } = await desiredOf(live);
  const [before, gone] = await Promise.all([applied, deleted].map((each) => desiredFrom(inCatalog(each))));
  return await withFiles(inCatalog(files), async (cwd) => {
    const root = join(cwd, "catalog");
    mkdirSync(root, { recursive: true });
    const { declarations, names: found } = await readDesired("catalog", { cwd });
    const { changeFor, isWanted, elsewhere } = exportedFiles({
      root,
      cwd,
      declarations,
      names: new Set(found),
      applied: before?.declarations ?? [],
      deleted: gone?.declarations ?? [],
      isPart: () => true,
      folder: "",
      isNamed: () => false,
      isInScope: () => true,
      force: false,
      namesSchema: false,
      ...more,
    });
    return [...state.values()].map((entity) => {
      const { urn, facets } = entity;
      const manifest = entityManifest(entity, {
        names: new Map(Object.entries(names) as [Urn, string][]),
        ignored: nothingIgnored,
        isWanted: (_, places) =>
          places.every(({ facet }) => more.isInScope?.(facet) ?? true) && isWanted(urn, places),
        elsewhere,
      });
      return changeFor(urn, manifest, facets);
    });
  });
}

const orders = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: hive", "name: orders", ...lines, ""].join("\n");
const ordersFile = "datasets/hive/orders.yaml";
const pii = (name: string, more = ""): string => `kind: Tag\nid: pii\nname: ${name}${more}\n`;
const piiFile = "tags/pii.yaml";

describe("a file that says what was applied", () => {
  test("takes over what has changed in the catalog, and keeps comments, order and style", async () => {
    const before = orders("# who else?", "tags: # of the whole", "  [pii, old]", "domain: sales");
    const files = { [ordersFile]: `# Ask finance first.\n${before}` };

    const [change] = await exported({
      files,
      applied: files,
      live: orders("tags: [new, pii]", "description: New."),
    });

    expect(change).toEqual({ action: "update", name: ordersFile, text: expect.any(String) });
    expect(change && "text" in change && change.text).toMatchInlineSnapshot(`
      "# Ask finance first.
      kind: Dataset
      platform: hive
      name: orders
      # who else?
      tags: # of the whole
        [pii, new]
      description: New.
      "
    `);
  });

  test.each([
    ["d1 # Growth", "d1", "d1 # Growth"],
    ["d1 # Growth", "d2", "d2 # Sales"],
    ["d1 # Growth: ask Ada", "d2", "d2 # Growth: ask Ada"],
    ["d1 # Growth", "plain", "plain"],
  ])("that has the domain %s gets %s with the right name beside it", async (domain, live, expected) => {
    const files = { [ordersFile]: orders(`domain: ${domain}`) };
    const names = {
      "urn:li:domain:d1": "Growth",
      "urn:li:domain:d2": "Sales",
      "urn:li:domain:plain": "Plain",
    };

    const [change] = await exported({ files, applied: files, live: orders(`domain: ${live}`), names });

    expect(change).toMatchObject(
      domain === expected
        ? { action: "unchanged" }
        : { action: "update", text: orders(`domain: ${expected}`) },
    );
  });

  test("loses no facet that is not exported", async () => {
    const files = { [ordersFile]: orders("domain: sales", "tags: [old]") };

    expect(
      await exported({
        files,
        applied: { [ordersFile]: orders("domain: other", "tags: [old]") },
        live: orders("tags: [new]"),
        isInScope: (facet) => facet === "tags",
      }),
    ).toEqual([{ action: "update", name: ordersFile, text: orders("domain: sales", "tags: [new]") }]);
  });

  test("is deleted where the catalog has nothing of an asset any more, and no other file declares the rest", async () => {
    const files = { [ordersFile]: orders("tags: [old]") };

    expect(await exported({ files, applied: files, live: orders() })).toEqual([
      { action: "delete", name: ordersFile },
    ]);
  });
});

describe("a file that says neither what is there nor what was applied", () => {
  test.each<readonly [string, Partial<Given>, FileChange]>([
    ["stays as it is", {}, { action: "keep", name: piiFile }],
    ["stays where nothing was applied", { applied: {} }, { action: "keep", name: piiFile }],
    [
      "stays where another file was applied",
      { applied: { "own.yaml": pii("Mine", " # ours") } },
      { action: "keep", name: piiFile },
    ],
    [
      "stays where one facet is exported",
      { isInScope: (facet) => facet === "name" },
      { action: "keep", name: piiFile },
    ],
    [
      "is overwritten where that is forced, but for its comments",
      { force: true },
      { action: "update", name: piiFile, text: pii("pii", " # ours") },
    ],
    [
      "is not touched where the facet that differs is not exported",
      { isInScope: (facet) => facet === "description" },
      { action: "unchanged", name: piiFile },
    ],
  ])("%s", async (_, more, expected) => {
    const files = { [piiFile]: pii("Mine", " # ours") };

    expect(await exported({ files, applied: { [piiFile]: pii("old") }, live: pii("pii"), ...more })).toEqual([
      expected,
    ]);
  });
});

describe("a manifest that was deleted", () => {
  const created = { action: "create", name: piiFile, text: pii("pii") } as const;
  const skipped = { action: "skip", name: "urn:li:tag:pii" } as const;

  test.each<readonly [string, Partial<Given>, FileChange]>([
    ["stays deleted", {}, skipped],
    ["is written again where its entity is named", { isNamed: () => true }, created],
    ["is written again where that is forced", { force: true }, created],
    [
      "stays deleted, too, where it was in a file of somebody's own",
      { deleted: { "own.yaml": pii("pii") } },
      skipped,
    ],
    [
      "stays deleted where a group lists its user",
      {
        deleted: { "users/ben.yaml": "kind: User\nid: ben\n" },
        files: { "g.yaml": "kind: Group\nid: g\nmembers: [{ id: ben, title: x }]\n" },
        live: "kind: User\nid: ben\ntitle: x\nslack: ben\n",
      },
      { action: "skip", name: "urn:li:corpuser:ben" },
    ],
    [
      "was moved where another file declares something of it: the rest gets a file",
      {
        deleted: { [ordersFile]: orders("tags: [a]", "domain: sales") },
        files: { "orders.yaml": orders("tags: [a]") },
        live: orders("tags: [a]", "domain: sales"),
      },
      { action: "create", name: ordersFile, text: orders("domain: sales") },
    ],
  ])("%s", async (_, more, expected) => {
    expect(await exported({ deleted: { [piiFile]: pii("old") }, live: pii("pii"), ...more })).toEqual([
      expected,
    ]);
  });
});

describe("what other files declare", () => {
  test("is not declared again", async () => {
    const files = {
      "own.yaml": `${orders("tags: [a]", "columns: { email: { tags: [a] } }")}---\n${pii("pii")}`,
    };
    const live = `${orders("tags: [a]", "columns: { email: { tags: [a, b] }, id: { tags: [a] } }")}---\n${pii("pii")}`;

    expect(await exported({ files, live })).toEqual([
      { action: "create", name: ordersFile, text: orders("columns:", "  id: { tags: [a] }") },
      { action: "unchanged", name: "urn:li:tag:pii" },
    ]);
  });

  test("of a column is not left to them for a column of the same plain name", async () => {
    const version2 = "[version=2.0].[type=struct].[type=string].email";
    const all = orders("columns:", "  email: { tags: [a, b] }", `  "${version2}": { tags: [a, b] }`);
    const own = orders(`columns: { email: { tags: [b] }, "${version2}": { tags: [a] } }`);

    expect(await exported({ files: { [ordersFile]: all, "other.yaml": own }, live: all })).toEqual([
      {
        action: "update",
        name: ordersFile,
        text: orders("columns:", "  email: { tags: [a] }", `  "${version2}": { tags: [b] }`),
      },
    ]);
  });
});

describe("where files name their schema for editors", () => {
  const header = (path: string): string => `# yaml-language-server: $schema=${path}\n`;

  test("new ones name it by a path", async () => {
    expect(await exported({ live: pii("pii"), namesSchema: true })).toEqual([
      { action: "create", name: piiFile, text: header("../.schema.json") + pii("pii") },
    ]);
  });

  test.each([
    [
      "the address of earlier versions",
      "https://old.example/schemas/manifest.schema.json",
      "../.schema.json",
    ],
    ["a path that is wrong", ".schema.json", "../.schema.json"],
    ["another schema", "https://acme.example/own.json", "https://acme.example/own.json"],
  ])("%s becomes what it should be", async (_, before, after) => {
    const files = { [piiFile]: header(before) + pii("pii") };

    expect(await exported({ files, live: pii("pii"), namesSchema: true })).toEqual([
      before === after
        ? { action: "unchanged", name: piiFile }
        : { action: "update", name: piiFile, text: header(after) + pii("pii") },
    ]);
  });
});
