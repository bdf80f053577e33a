// Prints the measures of the structure next to the accepted values: `npm run measures`.
import { resolve } from "node:path";
import { accept, limitOf } from "./accepted.mjs";
import { bestOrder, graphsOf, sourcesIn } from "./imports.mjs";
import { linesOf, measuresOf } from "./measures.mjs";

const usage = `npm run measures -- [options] [folder]

  folder     the root of another checkout, to measure that instead
  --walk     also follow some facts through the functions of a run
  --order    list the best order of each folder, and the imports against it
  --accept   lower the accepted values to the current ones`;

const argv = process.argv.slice(2);
const root = resolve(argv.find((each) => !each.startsWith("-")) ?? ".");
if (argv.includes("--help")) console.log(usage);
else if (argv.includes("--order")) printOrders();
else await measure();

async function measure() {
  printFolders();
  const measures = measuresOf(root);
  if (argv.includes("--accept")) accept(measures);
  printTable(
    ["measure", "now", "accepted"],
    Object.entries(measures).map(([name, value]) => [name, value, limitOf(name) ?? "none"]),
  );
  if (!argv.includes("--walk")) return;
  const { limited, measuresOfWalks, walksOf } = await import("./walk.mjs");
  const walks = await walksOf(root);
  if (argv.includes("--accept")) accept(measuresOfWalks(walks));
  const [columns] = Object.values(walks).map(Object.keys);
  const cellOf = (fact, column) => {
    const count = walks[fact][column];
    return limited.includes(column) ? `${count} of ${limitOf(`${fact}: ${column}`) ?? "none"}` : count;
  };
  printTable(
    ["fact", ...columns],
    Object.keys(walks).map((fact) => [fact, ...columns.map((column) => cellOf(fact, column))]),
  );
}

function printFolders() {
  const rows = { total: { files: 0, lines: 0 } };
  for (const [file, text] of sourcesIn(root)) {
    const folder = file.includes("/") ? file.split("/")[0] : ".";
    for (const row of [(rows[folder] ??= { files: 0, lines: 0 }), rows.total]) {
      row.files += 1;
      row.lines += linesOf(text);
    }
  }
  const { total, ...folders } = rows;
  printTable(
    ["folder of src", "files", "lines"],
    Object.entries({ ...folders, total }).map(([name, { files, lines }]) => [name, files, lines]),
  );
}

/** Prints rows whose first cell is a text and whose others are numbers. */
function printTable(head, rows) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => String(row[column]).length)),
  );
  for (const row of [head, ...rows]) {
    const [name, ...cells] = row.map(String);
    const padded = cells.map((cell, index) => cell.padStart(widths[index + 1]));
    console.log([name.padEnd(widths[0]), ...padded].join("  "));
  }
  console.log("");
}

function printOrders() {
  for (const graph of graphsOf(sourcesIn(root))) {
    const { order, against } = bestOrder(graph);
    const folder = graph.folder || "src";
    console.log(`${folder}: ${against.length} of ${graph.edges.length} imports are against ${order}`);
    for (const { from, to } of against) console.log(`  ${from} -> ${to}`);
  }
}
