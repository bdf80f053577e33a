import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCatalog, withCatalog } from "./catalog-process.mjs";
import { inPairs } from "./pairs.mjs";
import { runTool } from "./runs.mjs";
import { commit } from "./sample-manifests.mjs";
import { proposalsText } from "./sample-metadata.mjs";

/** @typedef {import("./pairs.mjs").Result} Result */
/** @typedef {import("./sample-metadata.mjs").Aspect} Aspect */

const urn = "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.wide.table,PROD)";
const domain = "- { kind: Domain, id: kept }\n";

/**
 * Catalogs with very many of one thing, each beside the same without it.
 * @param {string} directory where they are made
 * @param {number} pairCount
 * @returns {Promise<readonly Result[]>}
 */
export async function measureUnusual(directory, pairCount) {
  return [
    await measureCase(directory, pairCount, manyColumns(4000)),
    await measureCase(directory, pairCount, manyDeletions(8000)),
    await measureCase(directory, pairCount, manyMembers(200_000)),
    await measureCase(directory, pairCount, manyProblems(200_000)),
    await measureCase(directory, pairCount, manyEdits(3000)),
  ];
}

/**
 * A catalog directory with very many of one thing, and the same without it.
 * @typedef {object} Case
 * @property {string} title
 * @property {string} before the manifests that were applied
 * @property {string} many
 * @property {string} without
 * @property {readonly Aspect[]} live
 * @property {readonly string[]} argv
 * @property {number} [ends] the exit code that is right
 */

/**
 * Every column is declared by its plain name, and has another tag.
 * @param {number} count
 * @returns {Case}
 */
function manyColumns(count) {
  const names = Array.from({ length: count }, (_, index) => `column_${index}`);
  const head = "kind: Dataset\nplatform: snowflake\nname: prod.wide.table\n";
  const columns = names.map((name) => `  ${name}: { tags: [pii] }\n`).join("");
  const fields = names.map((name) => `[version=2.0].[type=struct].[type=string].${name}`);
  return {
    title: `plan, ${count} v2 columns of one dataset`,
    before: domain,
    many: `${head}columns:\n${columns}---\n- { kind: Tag, id: pii }\n`,
    without: `${head}tags: [pii]\n---\n- { kind: Tag, id: pii }\n`,
    live: [
      ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
      [urn, "status", { removed: false }],
      [urn, "schemaMetadata", schemaWith(fields)],
    ],
    argv: ["plan"],
  };
}

/** @param {readonly string[]} paths */
function schemaWith(paths) {
  return {
    schemaName: "table",
    platform: "urn:li:dataPlatform:snowflake",
    version: 0,
    hash: "",
    platformSchema: { "com.linkedin.schema.OtherSchema": { rawSchema: "" } },
    fields: paths.map((fieldPath) => ({
      fieldPath,
      nullable: true,
      type: { type: { "com.linkedin.schema.StringType": {} } },
      nativeDataType: "VARCHAR(255)",
      recursive: false,
    })),
  };
}

/**
 * Every domain but one is gone from the manifests, and from the catalog, or not.
 * @param {number} count
 * @returns {Case}
 */
function manyDeletions(count) {
  const ids = Array.from({ length: count }, (_, index) => `domain-${index}`);
  const before = domain + ids.map((id) => `- { kind: Domain, id: ${id} }\n`).join("");
  return {
    title: `plan, ${count} domains to delete`,
    before,
    many: domain,
    without: before,
    live: ["kept", ...ids].map((id) => [`urn:li:domain:${id}`, "domainProperties", { name: id }]),
    argv: ["plan", "--prune", "--base", "before", "--max-deletes", String(count), "--max-vanished", "100%"],
  };
}

/**
 * @param {number} count
 * @returns {Case}
 */
function manyMembers(count) {
  const members = Array.from({ length: count }, (_, index) => `    - user-${index}@example.com\n`);
  return {
    title: `validate, ${count} members of a group`,
    before: domain,
    many: `- kind: Group\n  id: everyone\n  members:\n${members.join("")}`,
    without: "- kind: Group\n  id: everyone\n  members: []\n",
    live: [],
    argv: ["validate"],
  };
}

/**
 * @param {number} count
 * @returns {Case}
 */
function manyProblems(count) {
  return {
    title: `validate, ${count} problems`,
    before: domain,
    many: Array.from({ length: count }, (_, index) => wrong(index)).join(""),
    without: wrong(0),
    live: [],
    argv: ["validate"],
    ends: 3,
  };
}

/** @param {number} index */
function wrong(index) {
  return `- { kind: Tag, id: tag-${index}, colour: red }\n`;
}

/**
 * Every dataset of one file has a tag in the catalog that the file does not declare, or does.
 * @param {number} count
 * @returns {Case}
 */
function manyEdits(count) {
  const names = Array.from({ length: count }, (_, index) => `prod.table_${index}`);
  const tags = ["pii", "reviewed"];
  /** @param {readonly string[]} declared */
  const manifests = (declared) => {
    const list = declared.map((id) => `  - ${id}\n`).join("");
    return names
      .map((name) => `---\nkind: Dataset\nplatform: snowflake\nname: ${name}\ntags:\n${list}`)
      .join("");
  };
  return {
    title: `pull --dry-run, ${count} edits of one file`,
    before: domain,
    many: manifests(["pii"]),
    without: manifests(tags),
    live: [
      ...tags.map((id) => /** @type {const} */ ([`urn:li:tag:${id}`, "tagProperties", { name: id }])),
      ...names.map(
        (name) =>
          /** @type {const} */ ([
            `urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},PROD)`,
            "globalTags",
            { tags: tags.map((id) => ({ tag: `urn:li:tag:${id}` })) },
          ]),
      ),
    ],
    argv: ["pull", "--dry-run"],
  };
}

/**
 * @param {string} directory
 * @param {number} pairCount
 * @param {Case} one
 * @returns {Promise<Result>}
 */
async function measureCase(directory, pairCount, { title, before, many, without, live, argv, ends }) {
  const place = join(directory, title.replaceAll(/\W+/g, "-"));
  const [data, metadata] = [join(place, "data"), join(place, "metadata.json")];
  const [large, small] = ["large", "small"].map((name, index) =>
    repositoryWith(join(place, name), before, index === 0 ? many : without),
  );
  if (!large || !small) throw new Error("there is nothing to compare");
  writeFileSync(metadata, proposalsText(live));
  await (await startCatalog(data, { load: [metadata] })).stop();
  return withCatalog(data, async (catalog) => {
    const pairs = await inPairs(
      pairCount,
      () => runTool(argv, large, catalog, ends),
      () => runTool(argv, small, catalog, ends),
    );
    return { title, datasets: 0, pairs };
  });
}

/**
 * @param {string} repository
 * @param {string} before
 * @param {string} now
 */
function repositoryWith(repository, before, now) {
  mkdirSync(join(repository, "catalog"), { recursive: true });
  const file = join(repository, "catalog", "manifests.yaml");
  writeFileSync(file, before);
  commit(repository, "Declare what was applied", "before");
  writeFileSync(file, now);
  commit(repository, "Declare what is wanted");
  return { repository };
}
