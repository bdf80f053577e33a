import { cpus, release, totalmem, type } from "node:os";

/** @typedef {import("./scenarios.mjs").Result} Result */
/** @typedef {import("./scenarios.mjs").Pair} Pair */
/** @typedef {import("./throughput.mjs").Throughput} Throughput */
/** @typedef {import("./rate-limit.mjs").Limited} Limited */

/**
 * The results in Markdown: a table, how it was measured and on what, and what to compare it with.
 * @param {readonly Result[]} results
 * @param {Throughput} throughput
 * @param {Limited | undefined} limited
 */
export function resultsMarkdown(results, throughput, limited) {
  return `| scenario | datasets | datahub-gitops | floor | ratio | processor | ratio | peak memory | requests |
| --- | --: | --: | --: | --: | --: | --: | --: | --: |
${results.map(row).join("")}
Each dataset has its own file, which declares a domain, two owners, three tags and the tags of two columns. Apply changes
all of these on every dataset. The catalog runs in its own process. The floor is a minimal script that reads and parses the
same files with \`yaml\` and then sends the same requests one after the other. Whole processes are measured, in pairs. Times
and ratios are medians (ratios also with their range), memory is the highest peak. A ratio below 1 means that datahub-gitops
does work in parallel that the script does in sequence. The floor of an export sends the same requests and writes the same
files.

The local catalog takes ${throughputText(throughput)}
${limited ? `\n${limitedText(limited)}\n` : ""}
Measured on ${machine()}.

For comparison, measured on 2 cores: Terraform 1.11 with 10,000 built-in resources and no network at all needs 140 s
for an empty plan and 27 minutes for the apply.
`;
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

/** @param {Result} result */
function row({ title, datasets, requests, pairs }) {
  const cells = [
    title,
    grouped(datasets),
    seconds(pairs.map(({ tool }) => tool.seconds)),
    seconds(pairs.map(({ floor }) => floor.seconds)),
    ratio(pairs, "seconds"),
    seconds(pairs.map(({ tool }) => tool.processor)),
    ratio(pairs, "processor"),
    `${Math.round(Math.max(...pairs.map(({ tool }) => tool.bytes)) / 1e6)} MB`,
    grouped(requests),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

/** @param {readonly number[]} values */
function seconds(values) {
  return `${median(values).toFixed(1)} s`;
}

/**
 * @param {readonly Pair[]} pairs
 * @param {"seconds" | "processor"} what
 */
function ratio(pairs, what) {
  const ratios = pairs.map(({ tool, floor }) => tool[what] / floor[what]);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(2));
  return `${median(ratios).toFixed(2)} (${least}–${most})`;
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
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
