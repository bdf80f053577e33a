import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { domains, groups, sampleDataset, tags, users } from "./sample-dataset.mjs";

/** @typedef {import("./sample-dataset.mjs").SampleDataset} SampleDataset */

/**
 * Writes a repository as a user would keep it: `catalog/` with one file for each kind of definition, and for each dataset,
 * or for so many of them.
 * @param {string} directory
 * @param {number} count of datasets
 * @param {number} [perFile]
 */
export function writeManifests(directory, count, perFile = 1) {
  const catalog = join(directory, "catalog");
  mkdirSync(catalog, { recursive: true });
  for (const [name, text] of definitionFiles()) writeFileSync(join(catalog, name), text);
  if (perFile === 1) writeEach(catalog, count);
  else writePacked(catalog, count, perFile);
  commit(directory, "Declare the datasets");
}

/**
 * @param {string} catalog
 * @param {number} count
 */
function writeEach(catalog, count) {
  for (let index = 0; index < count; index += 1) {
    const dataset = sampleDataset(index);
    const file = join(catalog, manifestFile(index));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, manifestOf(dataset));
  }
}

/**
 * @param {string} catalog
 * @param {number} count
 * @param {number} perFile
 */
function writePacked(catalog, count, perFile) {
  mkdirSync(join(catalog, "datasets"));
  for (let first = 0; first < count; first += perFile) {
    const length = Math.min(perFile, count - first);
    const documents = Array.from({ length }, (_, index) => manifestOf(sampleDataset(first + index)));
    writeFileSync(join(catalog, "datasets", `from-${first}.yaml`), documents.join("---\n"));
  }
}

/**
 * The file of a dataset that has one of its own, below the catalog directory.
 * @param {number} index
 */
export function manifestFile(index) {
  const { platform, schema, table } = sampleDataset(index);
  return join("datasets", platform, schema, `${table}.yaml`);
}

/** How many rules stand for the datasets. */
export const ruleCount = 20;

/**
 * Writes a repository whose rules declare of each dataset a domain and the tags of two columns: no file names one of them.
 * @param {string} directory
 * @param {number} count of datasets
 */
export function writeRules(directory, count) {
  const catalog = join(directory, "catalog");
  mkdirSync(catalog, { recursive: true });
  for (const [name, text] of definitionFiles()) writeFileSync(join(catalog, name), text);
  writeFileSync(join(catalog, "rules.yaml"), rulesFor(count));
  commit(directory, "Declare the rules");
}

/** @param {number} count of datasets */
function rulesFor(count) {
  /** @type {Map<string, Set<string>>} the schemas in each domain, which are on one platform */
  const schemas = new Map();
  for (let index = 0; index < count; index += 1) {
    const { platform, database, schema, domain } = sampleDataset(index);
    const key = `${domain} ${platform}`;
    schemas.set(key, (schemas.get(key) ?? new Set()).add(`${database}.${schema}.*`));
  }
  if (schemas.size > ruleCount) throw new Error(`${schemas.size} rules are needed`);
  return [...schemas].map(([key, names]) => ruleOf(key, [...names])).join("");
}

/**
 * @param {string} key a domain and a platform
 * @param {readonly string[]} names
 */
function ruleOf(key, names) {
  const [domain, platform] = key.split(" ");
  return `- kind: Rule
  id: ${domain}
  match: { kind: Dataset, platform: ${platform}, name: [${names.join(", ")}] }
  declare:
    domain: ${domain}
    columns:
      "*email": { tags: [pii] }
      amount: { tags: [money] }
`;
}

/** @param {SampleDataset} dataset */
function manifestOf({ platform, database, schema, table, domain, group, user, tags: own, columnTags }) {
  const columnLines = Object.entries(columnTags).map(
    ([column, list]) => `  ${column}: { tags: [${list.join(", ")}] }\n`,
  );
  return `kind: Dataset
platform: ${platform}
name: ${database}.${schema}.${table}
domain: ${domain}
owners:
  - { group: ${group}, type: TECHNICAL_OWNER }
  - { user: ${user}, type: DATA_STEWARD }
tags: [${own.join(", ")}]
columns:
${columnLines.join("")}`;
}

/** @returns {readonly (readonly [name: string, text: string])[]} */
function definitionFiles() {
  return [
    ["domains.yaml", domains.map((id) => `- { kind: Domain, id: ${id} }\n`).join("")],
    ["groups.yaml", groups.map((id) => `- { kind: Group, id: ${id} }\n`).join("")],
    ["tags.yaml", tags.map((id) => `- { kind: Tag, id: ${id} }\n`).join("")],
    ["users.yaml", users.map((id) => `- { kind: User, id: ${id} }\n`).join("")],
  ];
}

// A plan names the commit it was made from, so a repository without one would spare the tool a question to git.
// Where there is no git the benchmark does without, as the tool does.
/**
 * @param {string} directory
 * @param {string} message
 * @param {string} [tag] a name of the commit
 */
export function commit(directory, message, tag) {
  const settings = ["user.name=bench", "user.email=bench@example.com", "commit.gpgsign=false", "gc.auto=0"];
  const options = ["-C", directory, ...settings.flatMap((setting) => ["-c", setting])];
  for (const command of [
    ["init", "--quiet"],
    ["add", "."],
    ["commit", "--quiet", "--no-verify", "--allow-empty", "-m", message],
    ...(tag === undefined ? [] : [["tag", tag]]),
  ]) {
    const { error, status } = spawnSync("git", [...options, ...command], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (error) return;
    if (status !== 0) throw new Error(`git ${command[0]} ended with ${status}`);
  }
}
