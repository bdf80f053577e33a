import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folders = ["a", "b"].map((name) => join(mkdtempSync(join(tmpdir(), "datahub-gitops-site-")), name));
const [first = "", second = ""] = folders;

beforeAll(() => {
  for (const folder of folders)
    execFileSync(process.execPath, ["build/site.mjs", folder], { cwd: root, stdio: "ignore" });
});
afterAll(() => {
  for (const folder of folders) rmSync(dirname(folder), { recursive: true });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length))
    .toSorted();
}

const pagesIn = (folder: string): readonly string[] =>
  filesIn(folder).filter((name) => name.endsWith(".html"));
const textOf = (name: string): string => readFileSync(join(first, name), "utf8");

test("the site that is built twice has the same bytes", () => {
  expect(filesIn(second)).toEqual(filesIn(first));
  const differing = filesIn(first).filter(
    (name) => !readFileSync(join(first, name)).equals(readFileSync(join(second, name))),
  );
  expect(differing).toEqual([]);
});

/** Where a link of a page leads: a file of the site, and an anchor. */
function targetOf(page: string, link: string): { readonly file: string; readonly anchor: string } {
  const { pathname, hash } = new URL(link, `https://site${page}`);
  const file = pathname.endsWith("/") ? `${pathname}index.html` : decodeURIComponent(pathname);
  return {
    file: existsSync(join(first, file)) || file.includes(".") ? file : `${file}.html`,
    anchor: decodeURIComponent(hash.slice(1)),
  };
}

test("every link of the site leads somewhere", () => {
  const pages = pagesIn(first);
  expect(pages.length).toBeGreaterThan(25);
  const lost = pages.flatMap((page) => {
    const text = textOf(page).replaceAll(/<script[^>]*>.*?<\/script>/gs, "");
    const links = [...text.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, link = ""]) => link);
    return links
      .filter((link) => !/^(?:https:|mailto:|data:)/.test(link))
      .filter((link) => {
        const { file, anchor } = targetOf(page, link.replaceAll("&amp;", "&"));
        if (!existsSync(join(first, file))) return true;
        return anchor !== "" && !textOf(file).includes(` id="${anchor}"`);
      })
      .map((link) => `${page}: ${link}`);
  });
  expect(lost).toEqual([]);
});

test("every page of docs is in the site and can be searched without a server", () => {
  const index = filesIn(first).find((name) => /localSearchIndex/.test(name)) ?? "";
  const names = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));

  for (const name of names) {
    expect(pagesIn(first)).toContain(`/docs/${name.replace(/\.md$/, ".html")}`);
    expect(textOf(index)).toContain(`/docs/${name.replace(/\.md$/, "")}`);
  }
});

test("the site loads nothing from anywhere else", () => {
  const foreign = pagesIn(first).flatMap((page) => [
    ...textOf(page).matchAll(/<(?:script|link|img)[^>]*(?:href|src)="https?:[^"]*"/g),
  ]);
  expect(foreign.map(([element]) => element)).toEqual([]);
});

test("the page of the demo is in the site", () => {
  expect(textOf("/demo.html")).toContain("Plan for the sample catalog");
  expect(textOf("/index.html")).toContain('href="/demo.html"');
});
