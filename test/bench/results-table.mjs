import { cpus, release, totalmem, type } from "node:os";

import { medianOf } from "./pairs.mjs";

/** @typedef {import("./pairs.mjs").Result} Result */
/** @typedef {import("./pairs.mjs").Pair} Pair */
/** @typedef {import("./throughput.mjs").Throughput} Throughput */
/** @typedef {import("./rate-limit.mjs").Limited} Limited */

/**
 * All that was measured.
 * @typedef {object} Results
 * @property {readonly Result[]} whole plan, export and apply, beside the floor
 * @property {readonly Result[]} packed the same of more datasets, in files of many documents
 * @property {readonly Result[]} parts beside the plan of the whole
 * @property {import("./policies.mjs").ByPolicies} policies
 * @property {readonly Result[]} startUp beside a process that does nothing
 * @property {readonly Result[]} unusual very many of one thing, beside the same without it
 * @property {Throughput} throughput
 * @property {Limited | undefined} limited
 */

const terraform = `For comparison, measured on 2 cores: Terraform 1.11 with 10,000 built-in resources and no network access takes 140 s for an empty
plan and 27 minutes for the apply.
`;

/**
 * All results in Markdown: tables, how they were measured and on what, and what to compare them with.
 * @param {Results} results
 */
export function resultsMarkdown({ whole, packed, parts, policies, startUp, unusual, throughput, limited }) {
  return `Each measurement is of two complete processes: datahub-gitops, and the script or command that it is compared with. Times and ratios
are medians. Ratios also have their range. Memory is the highest peak. Processor time depends least on other programs on the machine.
Requests, and the bytes of request and response bodies, are also given per dataset. Measured on ${machine()}.

### Plan, export and apply

${tableOf(whole)}
Each dataset has its own file, which declares a domain, two owners, three tags and the tags of two columns. \`apply\` changes all of
these on every dataset. The catalog runs in its own process. The floor is a minimal script that reads and parses the same files with
\`yaml\`, and then sends the same requests one after the other. A ratio below 1 means that datahub-gitops parses faster, and does
work in parallel that the script does in sequence. The floor for an export sends the same requests and writes the same files. The
plans with terms use different datasets, in files of 100 documents. Each document declares a glossary term for its dataset, and with
"20 columns" also a term and a description for each of the 20 columns. The catalog contains these values in both cases.
${serverText(whole)}
${packed.length > 0 ? packedText(packed) : ""}### Partial plans

${tableOf(parts, "whole plan")}
${policiesText(policies)}
### Start-up

${tableOf(startUp, "node -e 0")}
### Large numbers of one item

${unusualTable(unusual)}
*Without it* means a plan or command for the same catalog with the same columns, but without deletions, members and edits, and with only one problem.
Before a plan deletes a domain, it searches for references to it. The local catalog compares all entities with each of these searches.

### Servers

The local catalog handles ${throughputText(throughput)}
${limited ? `\n${limitedText(limited)}\n` : ""}
### Terraform

${terraform}`;
}

/**
 * What policies take, in Markdown.
 * @param {import("./policies.mjs").ByPolicies} policies
 */
function policiesText({ views, plans }) {
  return `### Policies

${tableOf(views)}
20 policies check every dataset. Five of them have a CEL expression, and three check columns. The floor sends the same requests one
after the other, and reads the manifests. For 100,000 datasets, a stub responds, and each row was measured once.

${tableOf(plans, "without policies")}
A plan checks policies only for its changes, so a plan for datasets in sync checks nothing.
`;
}

/** @param {readonly Result[]} packed */
function packedText(packed) {
  return `### Very large catalogs

${tableOf(packed)}
Here, each file contains 1,000 documents, or rules declare everything. A stub responds for the datasets almost without any work, so
these are the times of datahub-gitops itself. Each row was measured once. The floor for 1,000,000 is the plan for 100,000.

`;
}

/**
 * @param {readonly Result[]} results
 * @param {string} [floor] what they are compared with
 */
function tableOf(results, floor = "floor") {
  return `| scenario | datasets | wall | ${floor} | ratio | processor | ${floor} | ratio | peak memory | requests | per dataset | sent per dataset | received per dataset |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
${results.map(row).join("")}`;
}

/** @param {Result} result */
function row({ title, datasets, traffic, pairs }) {
  const cells = [
    title,
    datasets === 0 ? "" : grouped(datasets),
    ...timesOf(pairs, "seconds"),
    ...timesOf(pairs, "processor"),
    memoryOf(pairs),
    ...trafficOf(traffic, datasets),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

/**
 * @param {readonly Pair[]} pairs
 * @param {"seconds" | "processor"} what
 */
function timesOf(pairs, what) {
  const times = [medianOf(pairs, ({ tool }) => tool[what]), medianOf(pairs, ({ floor }) => floor[what])];
  return [...times.map(seconds), ratio(pairs, ({ tool, floor }) => tool[what] / floor[what])];
}

/** @param {readonly Pair[]} pairs */
function memoryOf(pairs) {
  const bytes = Math.max(...pairs.map(({ tool }) => tool.bytes));
  return bytes === 0 ? "" : `${grouped(Math.round(bytes / 1e6))} MB`;
}

/**
 * The requests, and for each dataset its part of them, of the bytes sent and of those received.
 * @param {import("./runs.mjs").Traffic | undefined} traffic
 * @param {number} datasets
 */
function trafficOf(traffic, datasets) {
  if (traffic === undefined) return ["", "", "", ""];
  const { requests, sent, received } = traffic;
  const bytes = [sent, received].map((each) => `${grouped(Math.round(each / datasets))} B`);
  return [grouped(requests), (requests / datasets).toFixed(3), ...bytes];
}

/** @param {readonly Result[]} results */
function unusualTable(results) {
  return `| scenario | wall | without it | more | processor | without it | more | peak memory |
| --- | --: | --: | --: | --: | --: | --: | --: |
${results.map(unusualRow).join("")}`;
}

/** @param {Result} result */
function unusualRow({ title, pairs }) {
  const times = /** @type {const} */ (["seconds", "processor"]).flatMap((what) => [
    medianOf(pairs, ({ tool }) => tool[what]),
    medianOf(pairs, ({ floor }) => floor[what]),
    medianOf(pairs, ({ tool, floor }) => tool[what] - floor[what]),
  ]);
  return `| ${[title, ...times.map(seconds), memoryOf(pairs)].join(" | ")} |\n`;
}

/**
 * An apply can hardly be faster than the server takes to write.
 * @param {readonly Result[]} results
 */
function serverText(results) {
  const lines = results.flatMap(({ title, datasets, pairs }) => {
    if (pairs.some(({ tool }) => tool.server === undefined)) return [];
    const server = medianOf(pairs, ({ tool }) => tool.server ?? Number.NaN);
    const range = ratio(pairs, ({ tool }) => tool.seconds / (tool.server ?? Number.NaN));
    return [
      `- ${title}, ${grouped(datasets)}: the catalog's process takes ${seconds(server)}; wall time is ${range} times that.`,
    ];
  });
  return lines.length === 0
    ? ""
    : `\nProcessor time of the catalog during these applies:\n\n${lines.join("\n")}\n`;
}

/** @param {Throughput} throughput */
function throughputText({ writes, clients, seconds: time, floor }) {
  const rate = grouped(Math.round(writes / time));
  return `${grouped(writes)} writes, alternately proposals and mutations, from ${clients} clients in ${time.toFixed(1)} s (${rate} per
second). This is ${(time / floor).toFixed(1)} times the duration of the same number of requests to its \`/health\`.`;
}

/** @param {Limited} limited */
function limitedText({ perSecond, requests, refused, seconds: time }) {
  const least = requests / perSecond;
  return `An apply with ${requests} requests to a server that accepts ${perSecond} requests per second and refuses all others (here ${refused}) takes
${time.toFixed(1)} s. This is ${(time / least).toFixed(2)} times the minimum of ${least.toFixed(1)} s at this limit.`;
}

/** @param {number} value */
function seconds(value) {
  return `${value.toFixed(Math.abs(value) < 1 ? 2 : 1)} s`;
}

/**
 * @param {readonly Pair[]} pairs
 * @param {(pair: Pair) => number} of
 */
function ratio(pairs, of) {
  const ratios = pairs.map(of);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(2));
  const median = medianOf(pairs, of).toFixed(2);
  return least === most ? median : `${median} (${least}–${most})`;
}

function machine() {
  const [{ model } = { model: "unknown" }] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${model.trim()}), ${gigabytes} GB of memory, Node ${process.version}, ${type()} ${release()}`;
}

/** @param {number} count */
function grouped(count) {
  return count.toLocaleString("en-US");
}
