import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { lexer, type Token, walkTokens } from "marked";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...pagesIn("docs"),
  ...pagesIn("docs/internals"),
];

function pagesIn(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
  return names.map((name) => `${folder}/${name}`);
}

function tokensOf(page: string): readonly Token[] {
  const all: Token[] = [];
  void walkTokens(lexer(readFileSync(join(root, page), "utf8")), (token) => {
    all.push(token);
  });
  return all;
}

/** Where the links of a page lead. */
function linksIn(page: string): readonly string[] {
  return tokensOf(page).flatMap((token) =>
    token.type === "link" || token.type === "image" ? [String(token.href)] : [],
  );
}

/** The anchors of a page, as GitHub makes them of headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const token of tokensOf(page)) {
    if (token.type !== "heading") continue;
    const plain = String(token.text).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const anchor = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let number = 0;
    while (anchors.has(number === 0 ? anchor : `${anchor}-${number}`)) number += 1;
    anchors.add(number === 0 ? anchor : `${anchor}-${number}`);
  }
  return anchors;
}

/** Why a link of a page leads nowhere; `undefined` for one that leads somewhere, or out of the repository. */
function faultOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return /^(?:https|mailto):/.test(link) ? undefined : `${link}: not https`;
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? page : relative(root, join(root, dirname(page), path));
  if (file.startsWith("..")) return `${link}: outside of the repository`;
  if (!existsSync(join(root, file))) return `${link}: no such file`;
  if (anchor === undefined) return undefined;
  return file.endsWith(".md") && anchorsOf(file).has(anchor) ? undefined : `${link}: no such heading`;
}

test.each(pages)("every link in %s leads somewhere", (page) => {
  expect(linksIn(page).flatMap((link) => faultOf(page, link) ?? [])).toEqual([]);
});

test("every path in CONTRIBUTING.md, and each step of plan and apply with its file, is there", () => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8").replaceAll(/^```.*?^```$/gms, "");
  const paths = [...text.matchAll(/`((?:src|test|schemas|docs|build|\.ci)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const steps = [...text.matchAll(/^\| (\d+) \|.*\| ([^|]*) \|$/gm)];
  expect(steps.map(([, number]) => Number(number))).toEqual(steps.map((_, index) => index + 1));
  expect(steps.filter(([, , files = ""]) => !files.includes("`src/"))).toEqual([]);
});

test("each function on the path of a value is in one of the files of its row", () => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const rows = [
    ...text.matchAll(/^\| [^|`]*(?:`[^`]*`[^|`]*)*\| (`\w+`(?:, `\w+`)*) \| (`src\/[^|]*) \|$/gm),
  ];
  const namesIn = (cell = ""): readonly string[] =>
    [...cell.matchAll(/`([^`]*)`/g)].map(([, name = ""]) => name);
  const isThere = (name: string, files: readonly string[]): boolean =>
    files.some((file) => readFileSync(join(root, file), "utf8").includes(` function ${name}`));

  expect(rows.length).toBeGreaterThan(14);
  const faults = rows.flatMap(([, names, files]) =>
    namesIn(names).filter((name) => !isThere(name, namesIn(files))),
  );
  expect(faults).toEqual([]);
});

test("a link to a file or a heading that is not there is found, and so is one out of the repository", () => {
  const links = ["nowhere.md", "README.md#nowhere", "#nowhere", "../x.md", "http://a.example"];

  expect(links.flatMap((link) => faultOf("README.md", link) ?? [])).toHaveLength(links.length);
  expect(faultOf("README.md", "docs/ownership.md#the-base")).toBeUndefined();
  expect(pages.flatMap(linksIn).length).toBeGreaterThan(30);
});

test("every page of docs is linked from README.md, and each of docs/internals from its README.md", () => {
  const linked = new Set(linksIn("README.md").map((link) => link.split("#")[0]));
  expect(pagesIn("docs").filter((page) => !linked.has(page))).toEqual([]);
  const internals = new Set(linksIn("docs/internals/README.md"));
  const others = pagesIn("docs/internals").filter((page) => page !== "docs/internals/README.md");
  expect(others.filter((page) => !internals.has(basename(page)))).toEqual([]);
});

test("README.md says on one screen or two what there is", () => {
  expect(readFileSync(join(root, "README.md"), "utf8").length).toBeLessThan(6_500);
});
