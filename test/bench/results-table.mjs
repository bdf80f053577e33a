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

const terraform = `For comparison, measured on 2 cores: Terraform 1.11 with 10,000 built-in resources and no network at all needs 140 s
for an empty plan and 27 minutes for the apply.
`;

/**
 * All results in Markdown: tables, how they were measured and on what, and what to compare them with.
 * @param {Results} results
 */
export function resultsMarkdown({ whole, packed, parts, policies, startUp, unusual, throughput, limited }) {
  return `Whole processes are measured, in pairs: datahub-gitops, and what it is compared with. Times and ratios are medians (ratios
also with their range), memory is the highest peak. Processor time depends least on what else the machine does. Requests, and the
bytes of bodies sent and received, are also given as their number for each dataset. Measured on ${machine()}.

### Plan, export and apply

${tableOf(whole)}
Each dataset has its own file, which declares a domain, two owners, three tags and the tags of two columns. Apply changes
all of these on every dataset. The catalog runs in its own process. The floor is a minimal script that reads and parses the
same files with \`yaml\` and then sends the same requests one after the other. A ratio below 1 means that datahub-gitops
parses in less time, and does work in parallel that the script does in sequence. The floor of an export sends the same requests
and writes the same files. The plans of terms are of other datasets: files of 100 documents declare a glossary term of each, or also
a term and a description of each of its 20 columns, which the catalog has in both cases.
${serverText(whole)}
${packed.length > 0 ? packedText(packed) : ""}### A part of the catalog

${tableOf(parts, "whole plan")}
${policiesText(policies)}
### Start-up

${tableOf(startUp, "node -e 0")}
### Very many of one thing

${unusualTable(unusual)}
Without it means the same catalog with the same columns, no deletions, no members, one problem and no edits.

### Servers

The local catalog takes ${throughputText(throughput)}
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
20 policies judge every dataset. Five have a CEL expression, and three are about columns. The floor sends the same requests
one after the other, and reads the manifests. A stub answers for 100,000 datasets, once each.

${tableOf(plans, "without policies")}
A plan judges only its changes, so a plan of datasets in sync judges nothing.
`;
}

/** @param {readonly Result[]} packed */
function packedText(packed) {
  return `### Very large catalogs

${tableOf(packed)}
Here a file holds 1,000 documents, or rules declare it all, and a stub answers for the datasets with next to no work, so this is
the time of datahub-gitops itself. One run each. The floor of 1,000,000 is the plan of 100,000.

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
  return lines.length === 0 ? "" : `\nProcessor time of the catalog in these runs:\n\n${lines.join("\n")}\n`;
}

/** @param {Throughput} throughput */
function throughputText({ writes, clients, seconds: time, floor }) {
  const rate = grouped(Math.round(writes / time));
  return `${grouped(writes)} writes, proposals and mutations in turn, from ${clients} clients in ${time.toFixed(1)} s (${rate} a
second): ${(time / floor).toFixed(1)} times the duration of as many requests to its \`/health\`.`;
}

/** @param {Limited} limited */
function limitedText({ perSecond, requests, refused, seconds: time }) {
  const least = requests / perSecond;
  return `An apply of ${requests} requests to a server that answers ${perSecond} a second and refuses others (it refused ${refused}) takes
${time.toFixed(1)} s: ${(time / least).toFixed(2)} times the ${least.toFixed(1)} s that the limit needs.`;
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
