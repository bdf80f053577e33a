// The documentation site: README.md and the pages that it links to, with a search that needs no server.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const repository = `https://github.com/${process.env.GITHUB_REPOSITORY ?? "OWNER/datahub-gitops"}`;
const readme = readFileSync(`${root}README.md`, "utf8");

/** The pages, in the order of the table in README.md. */
const listed = [...new Set(readme.split("## Documentation\n")[1].match(/(?<=\]\()[\w./-]+\.md(?=\))/g))];

/** The files and folders that are not pages. */
const others = readdirSync(root, { withFileTypes: true })
  .filter((entry) =>
    entry.isDirectory() ? entry.name !== "docs" : !["README.md", ...listed].includes(entry.name),
  )
  .map((entry) => (entry.isDirectory() ? `${entry.name}/**` : entry.name));

function titleOf(page) {
  return /^# (.*)$/m.exec(readFileSync(root + page, "utf8"))[1].replaceAll("`", "");
}

/** Returns the anchor that GitHub uses for a heading. */
function slugify(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** Keeps links between pages. Links to other files lead to the repository on GitHub. */
function linksTo(md) {
  const render =
    md.renderer.rules.link_open ??
    ((tokens, index, options, _env, self) => self.renderToken(tokens, index, options));
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const href = tokens[index].attrGet("href");
    if (!/^(?:[a-z]+:|#)/.test(href)) tokens[index].attrSet("href", addressOf(href, env.path));
    return render(tokens, index, options, env, self);
  };
}

function addressOf(href, file) {
  const [path, anchor] = href.split("#");
  const here = posix.dirname(relative(root, file).split(sep).join("/"));
  const there = posix.join(here, path);
  if (there === "README.md") return `/${anchor === undefined ? "" : `#${anchor}`}`;
  if (listed.includes(there)) return href;
  if (!existsSync(root + there)) throw new Error(`${file} links to ${href}, which does not exist`);
  return `${repository}/blob/main/${there}`;
}

/** Removes the highlighter's time limit. On a busy machine, the highlighter would otherwise give up on a line and color it differently. */
const unhurried = {
  preprocess: (code, options) => {
    options.tokenizeTimeLimit = 0;
    return code;
  },
};

// oxlint-disable-next-line import/no-default-export -- VitePress requires it.
export default {
  title: "datahub-gitops",
  description: "Metadata as code for DataHub",
  base: process.env.SITE_BASE ?? "/",
  srcDir: "..",
  srcExclude: [...others, "docs/.vitepress/**", "docs/internals/**"],
  rewrites: { "README.md": "index.md" },
  lastUpdated: false,
  // Otherwise, the order of the search index depends on the order in which pages are built.
  buildConcurrency: 1,
  markdown: { anchor: { slugify }, config: linksTo, codeTransformers: [unhurried] },
  vite: { publicDir: `${root}docs/.vitepress/public` },
  themeConfig: {
    search: { provider: "local" },
    nav: [{ text: "A plan as a page", link: "/demo.html", target: "_self" }],
    sidebar: listed.map((page) => ({ text: titleOf(page), link: `/${page.replace(/\.md$/, "")}` })),
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository }],
  },
};
