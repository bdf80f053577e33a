// Follows facts through the functions of a run: each is recognized by a text that nothing else has.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildInstrumented } from "./instrument.mjs";

const dataset = "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.invoices,PROD)";
const document = "kind: Dataset\nplatform: snowflake\nname: prod.invoices\n";

/** The aspects in the catalog, by URN. */
const live = {
  [dataset]: { datasetProperties: { name: "prod.invoices" } },
  "urn:li:tag:tag-7f3a9": { tagProperties: { name: "A tag" } },
  "urn:li:corpuser:user-7f3a9": { corpUserInfo: { active: true } },
  "urn:li:structuredProperty:retention": {
    propertyDefinition: {
      qualifiedName: "retention",
      valueType: "urn:li:dataType:datahub.string",
      entityTypes: ["urn:li:entityType:datahub.dataset"],
    },
  },
};

/** The facts, each with the text that it is recognized by, what a document declares for it, and how the run ends. */
const facts = [
  { name: "a tag, plan", marker: "tag-7f3a9", command: ["plan"], declared: "tags: [tag-7f3a9]" },
  {
    name: "a tag, apply",
    marker: "tag-7f3a9",
    command: ["apply", "--auto-approve"],
    declared: "tags: [tag-7f3a9]",
  },
  {
    name: "an owner, plan",
    marker: "user-7f3a9",
    command: ["plan"],
    declared: "owners: [{ user: user-7f3a9 }]",
  },
  {
    name: "a property's value, plan",
    marker: "value-7f3a9",
    command: ["plan"],
    declared: "structured_properties: { retention: value-7f3a9 }",
  },
  {
    name: "a policy's id, plan",
    marker: "policy-7f3a9",
    command: ["plan"],
    declared: `tags: [tag-7f3a9]
---
kind: Policy
id: policy-7f3a9
match: { kind: Dataset }
require: { tags: { none_of: [tag-7f3a9] } }`,
    code: 4,
  },
  {
    name: "an error code, plan",
    marker: "reference-missing",
    command: ["plan"],
    declared: "tags: [missing]",
    code: 3,
  },
];

/**
 * Builds a checkout and follows the facts through it. By the name of a fact: how many files and functions take or return a value with its
 * text, how many calls take one, and how often two such calls in a row are in different folders or subfolders. \`model\` is no change
 * of folder, since all use it.
 */
export async function walksOf(root) {
  const builds = join(import.meta.dirname, "../../node_modules/.cache/datahub-gitops");
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(join(builds, "walk-"));
  try {
    const { program, catalog } = await buildInstrumented(root, folder);
    globalThis.walkTracer = untraced;
    const { run } = await import(pathToFileURL(program).href);
    const { startCatalog } = await import(pathToFileURL(catalog).href);
    const walks = {};
    for (const fact of facts) walks[fact.name] = countsOf(await followed(fact, run, startCatalog));
    return walks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const untraced = { take: () => {}, give: (_, value) => value };

/** The steps of a fact in a new repository, with a new catalog. */
async function followed({ marker, command, declared, code = 0 }, run, startCatalog) {
  const folder = mkdtempSync(join(tmpdir(), "datahub-gitops-walk-"));
  const catalog = await startCatalog({ dataDir: join(folder, "data"), port: 0, auth: false });
  const steps = [];
  try {
    await catalog.load(metadataFile(folder));
    const cwd = repositoryWith(folder, `${document}${declared}\n`);
    const printed = [];
    globalThis.walkTracer = tracing(marker, steps);
    const ended = await run([...command, "--server", catalog.url], ioAt(cwd, printed));
    const text = printed.join("");
    if (ended !== code || !text.includes(marker))
      throw new Error(`${command[0]} ended with ${ended}:\n${text}`);
    return steps;
  } finally {
    globalThis.walkTracer = untraced;
    await catalog.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function metadataFile(folder) {
  const file = join(folder, "metadata.json");
  const records = Object.entries(live).flatMap(([entityUrn, aspects]) =>
    Object.entries(aspects).map(([aspectName, json]) => ({
      entityType: entityUrn.split(":")[2],
      entityUrn,
      changeType: "UPSERT",
      aspectName,
      aspect: { json },
    })),
  );
  writeFileSync(file, JSON.stringify(records));
  return file;
}

function repositoryWith(folder, manifest) {
  const cwd = join(folder, "repository");
  mkdirSync(join(cwd, "catalog"), { recursive: true });
  writeFileSync(join(cwd, "catalog/datahub-gitops.yaml"), "version: 1\nbase: refs/datahub-gitops/applied\n");
  writeFileSync(join(cwd, "catalog/datasets.yaml"), manifest);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...argv) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a", ...argv], { cwd, env, stdio: "ignore" });
  git("init");
  git("add", "--all");
  git("commit", "--message", "a");
  return cwd;
}

function ioAt(cwd, printed) {
  const output = {
    write: (text) => printed.push(text),
    loss: () => undefined,
    flush: async () => {},
    isTTY: false,
    columns: 80,
  };
  return {
    stdout: output,
    stderr: output,
    env: {},
    cwd,
    home: "/nonexistent",
    isInteractive: false,
    ask: async () => "",
    interrupted: new AbortController().signal,
    now: () => new Date(0),
  };
}

/** Notes the functions that take or return a value with the marker, in order. */
function tracing(marker, steps) {
  return {
    take: (id, values) => {
      if (hasMarker(values, marker)) steps.push({ id, isCall: true });
    },
    give: (id, value) => {
      if (hasMarker(value, marker)) steps.push({ id, isCall: false });
      return value;
    },
  };
}

function hasMarker(value, marker, seen = new Set()) {
  if (typeof value === "string") return value.includes(marker);
  if (typeof value !== "object" || value === null || seen.has(value)) return false;
  seen.add(value);
  const has = (each) => hasMarker(each, marker, seen);
  if (Array.isArray(value)) return value.some(has);
  if (value instanceof Map) return [...value].some(has);
  if (value instanceof Set) return [...value].some(has);
  const prototype = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype || value instanceof Error;
  return (
    isPlain && Object.values(Object.getOwnPropertyDescriptors(value)).some((property) => has(property.value))
  );
}

function countsOf(steps) {
  const fileOf = ({ id }) => id.split(":")[0];
  const calls = steps.filter(({ isCall }) => isCall);
  const folders = calls.map((step) => dirname(fileOf(step))).filter((folder) => !/^model\b/.test(folder));
  return {
    files: new Set(steps.map(fileOf)).size,
    functions: new Set(steps.map(({ id }) => id)).size,
    calls: calls.length,
    "changes of folder": changesIn(folders.map((folder) => folder.split("/")[0])),
    "changes of subfolder": changesIn(folders),
  };
}

function changesIn(names) {
  return names.filter((name, index) => index > 0 && name !== names[index - 1]).length;
}

/** The numbers of walks that have accepted values, by name. */
export function measuresOfWalks(walks) {
  return Object.fromEntries(
    Object.entries(walks).flatMap(([fact, counts]) =>
      limited.map((column) => [`${fact}: ${column}`, counts[column]]),
    ),
  );
}

/** The columns of walks that have accepted values. */
export const limited = ["files", "functions", "changes of folder"];
