// Reads the imports of a source tree and compares them with the order of its folders in order.json.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";

const importing =
  /^(?:import|export)\b[^"';]*? from "([^"]+)"|^import "([^"]+)"|\bimport\(\s*"([^"]+)"(?=[,)\s])/gm;

/** The files of `src` below a root, by path below `src`, each with its text. */
export function sourcesIn(root) {
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => name.replaceAll(sep, "/"));
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(root, "src", file), "utf8")]));
}

/** The order of folders that a root declares. Earlier checkouts have none. */
export function orderIn(root) {
  const file = join(root, "test/architecture/order.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** The imports between files of the tree, each pair once, as `{ from, to }`. */
export function importsOf(sources) {
  return [...sources].flatMap(([from, text]) => {
    const named = [...text.matchAll(importing)].map((match) => match[1] ?? match[2] ?? match[3]);
    const targets = new Set(named.map((name) => posix.join(posix.dirname(from), name)));
    return [...targets].filter((to) => sources.has(to)).map((to) => ({ from, to }));
  });
}

/** The folder that has both files, and the folder or file directly in it that each of them belongs to. */
export function meetingOf({ from, to }) {
  const [a, b] = [from.split("/"), to.split("/")];
  let depth = 0;
  while (depth < a.length - 1 && a[depth] === b[depth]) depth += 1;
  return { folder: a.slice(0, depth).join("/"), importer: a[depth], imported: b[depth] };
}

/**
 * Whether an import respects the order: at the top if and only if the importer lists the other folder or the file, and between subfolders if and
 * only if the other one comes earlier. Files that an order does not name are at its `.`, and folders directly below that. A folder
 * without an order allows each import.
 */
export function isInOrder({ src, strict }, edge) {
  const { folder, importer, imported } = meetingOf(edge);
  if (folder === "") return wordsOf(src[importer]).some((each) => each === imported || each === edge.to);
  const places = strict[folder]?.split(" < ");
  if (!places) return true;
  const rest = places.indexOf(".");
  const placeOf = (name) => {
    const place = places.indexOf(name);
    if (place !== -1) return place;
    return name.endsWith(".ts") ? rest : rest - 0.5;
  };
  const [own, other] = [placeOf(importer), placeOf(imported)];
  return other < own || (own === rest && other === rest);
}

/** Whether the files of a folder or file at the top may import a package. */
export function isAllowed({ packages }, folder, name) {
  return wordsOf(packages[folder]).some(
    (each) => each === name || (each === "node:*" && name.startsWith("node:")),
  );
}

function wordsOf(text = "") {
  return text.split(" ");
}

/** The folders that have subfolders, and the nodes and imports between them: a node is a subfolder or a file directly in the folder. */
export function graphsOf(sources) {
  const imports = importsOf(sources).map((edge) => ({ ...edge, ...meetingOf(edge) }));
  const folders = new Set([...sources.keys()].flatMap(parentsOf));
  return [...folders].map((folder) => {
    const prefix = folder === "" ? "" : `${folder}/`;
    const inside = [...sources.keys()].filter((file) => file.startsWith(prefix));
    const nodes = [...new Set(inside.map((file) => file.slice(prefix.length).split("/")[0]))];
    const edges = imports.filter((edge) => edge.folder === folder && edge.importer !== edge.imported);
    return { folder, nodes, edges };
  });
}

/** The folders above a file that have a subfolder. */
function parentsOf(file) {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, depth) => parts.slice(0, depth).join("/"));
}

const rounds = 60;

/** The order with the fewest imports against it, found by moving single nodes from many shuffled orders, and these imports. */
export function bestOrder({ nodes, edges }) {
  const weights = nodes.map(() => nodes.map(() => 0));
  for (const { importer, imported } of edges) weights[nodes.indexOf(importer)][nodes.indexOf(imported)] += 1;
  const draw = drawing();
  let best = { cost: Infinity, order: [] };
  for (let round = 0; round < rounds; round += 1) {
    const keys = nodes.map(draw);
    const order = settled(
      nodes.map((_, node) => node).toSorted((a, b) => keys[a] - keys[b]),
      weights,
    );
    const cost = costOf(order, weights);
    if (cost < best.cost) best = { cost, order };
  }
  const order = best.order.map((node) => nodes[node]);
  const against = edges.filter(({ importer, imported }) => order.indexOf(importer) < order.indexOf(imported));
  return { order: written(order, edges, against), against };
}

/** Numbers from 0 to 1 that are the same in each run. */
function drawing() {
  let state = 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function costOf(order, weights) {
  return order.reduce(
    (sum, low, index) => order.slice(index + 1).reduce((rest, high) => rest + weights[low][high], sum),
    0,
  );
}

/** Moves nodes to their best places until no move of a single node makes the order better. */
function settled(order, weights) {
  const left = [...order];
  for (let isBetter = true; isBetter;) {
    isBetter = false;
    for (const node of order) {
      const index = left.indexOf(node);
      const target = bestPlace(left, index, weights);
      if (target === index) continue;
      left.splice(index, 1);
      left.splice(target, 0, node);
      isBetter = true;
    }
  }
  return left;
}

function bestPlace(order, index, weights) {
  const node = order[index];
  let best = { gain: 0, place: index };
  for (const step of [-1, 1]) {
    let gain = 0;
    for (let place = index + step; place in order; place += step) {
      const other = order[place];
      gain += step * (weights[other][node] - weights[node][other]);
      if (gain < best.gain) best = { gain, place };
    }
  }
  return best.place;
}

/** An order as order.json writes it: of the files directly in the folder it names those that a subfolder needs. */
function written(order, edges, against) {
  const needed = new Set(order.filter((node) => !node.endsWith(".ts")));
  for (const node of needed)
    for (const edge of edges)
      if (edge.importer === node && !against.includes(edge)) needed.add(edge.imported);
  return [...order.filter((node) => needed.has(node)), "."].join(" < ");
}
