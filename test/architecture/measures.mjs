// Counts the measures of the structure that can be counted from the text of the sources.
import { bestOrder, graphsOf, isInOrder, orderIn, sourcesIn } from "./imports.mjs";

const maxLines = 250;

/** The measures of a checkout, by name. Less is better for each of them. */
export function measuresOf(root) {
  const sources = sourcesIn(root);
  const graphs = graphsOf(sources);
  const [top, ...folders] = graphs;
  const order = orderIn(root);
  const texts = [...sources.values()];
  const countOf = (pattern) => texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  return {
    "imports against the order, at the top": againstOrder([top], order),
    "imports against the order, between subfolders": againstOrder(folders, order),
    "subfolders in a cycle": graphs.reduce((sum, graph) => sum + foldersInCycles(graph), 0),
    "passes over the changes": passesIn(sources).length,
    "readers of an aspect besides `observe`": readersIn(sources).length,
    "`Pick<`": countOf(/\bPick</g),
    "`Omit<`": countOf(/\bOmit</g),
    "conditional spreads": countOf(/\.\.\.\((?:[^()]|\([^()]*\))*?&& /g),
    "exports that one other file uses, in percent": exportsUsedOnce(sources),
    [`files of more than ${maxLines} lines`]: texts.filter((text) => linesOf(text) > maxLines).length,
    "files without a first sentence": texts.filter((text) => !firstSentence.test(text)).length,
  };
}

// A comment about the file: the first thing in it, with an empty line below.
const firstSentence = /^(?:#!.*\n)?\/\*\*(?:(?!\*\/)[^])*[.:](?: |\n \*)*\s*\*\/\n\n/;

/** How many lines a text has. */
export function linesOf(text) {
  return text.split("\n").length - 1;
}

/** The imports against the declared order, or in a folder without one against the best order. */
function againstOrder(graphs, order) {
  return graphs.reduce((sum, graph) => {
    const isDeclared = order && (graph.folder === "" || graph.folder in order.strict);
    const against = isDeclared
      ? graph.edges.filter((edge) => !isInOrder(order, edge))
      : bestOrder(graph).against;
    return sum + against.length;
  }, 0);
}

/** How many subfolders of a folder can be reached from themselves by imports, also through files that are directly in the folder. */
function foldersInCycles({ nodes, edges }) {
  const importedBy = new Map(nodes.map((node) => [node, new Set()]));
  for (const { importer, imported } of edges) importedBy.get(importer).add(imported);
  return nodes.filter((node) => {
    if (node.endsWith(".ts")) return false;
    const reached = new Set(importedBy.get(node));
    for (const each of reached) for (const next of importedBy.get(each)) reached.add(next);
    return reached.has(node);
  }).length;
}

const afterComparison = /^(?:plan|sync|workflow)\//;
const functionHead =
  /^(?:export )?(?:async )?function\*? (\w+)(<[^(]*>)?\(((?:(?!^\}$)[^])*?)\): ([^]*?) \{$/gm;
const change = String.raw`\w*(?:Change|Difference)\b(?:<\w+>)?`;
const changes = String.raw`(?:readonly ${change}\[\]|\w*Iterable<${change}>|Generator<${change}>|(?:Plan|PlanContent|PlannedChanges|Comparison)\b)`;

/**
 * The functions that take changes and return changes, as `file name`. Counted are the functions of the folders from the comparison to
 * the end of a plan that have a list of changes, a plan or a comparison among their parameters, and one of these as their result.
 */
function passesIn(sources) {
  return [...sources]
    .filter(([file]) => afterComparison.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(functionHead)]
        .filter(([, , generics = "", parameters, result]) => {
          const bounds = Object.fromEntries(
            [...generics.matchAll(/(\w+) extends ([^,>]+)/g)].map(([, name, type]) => [name, type]),
          );
          const bounded = (type) => type.replaceAll(/\b[A-Z]\w*\b/g, (name) => bounds[name] ?? name);
          const isResult = new RegExp(`^(?:Promise<)?(?:Pick<)?${changes}`).test(bounded(result));
          return isResult && new RegExp(changes).test(bounded(parameters));
        })
        .map(([, name]) => `${file} ${name}`),
    );
}

const reader =
  /(?<!readonly )\b(selectedForm|attribution|elements|answer)(?:: (?:\([^)]*\)|\w+) =>|\([^)]*\)[^;=]* \{$)/gm;

/**
 * The functions of facets that read a stored aspect next to `observe`, as `file member`: what the selection would answer, who wrote a
 * value, and the elements to edit.
 */
function readersIn(sources) {
  return [...sources]
    .filter(([file]) => file.startsWith("facets/"))
    .flatMap(([file, text]) => [...text.matchAll(reader)].map(([, name]) => `${file} ${name}`));
}

const exported =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
const importedNames = /^(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm;

/** A percentage, since each new facet, kind and command is one more export that only its list uses. */
function exportsUsedOnce(sources) {
  const users = new Map();
  for (const [from, text] of sources)
    for (const [, names, name] of text.matchAll(importedNames)) {
      const to = new URL(name, `file:///${from}`).pathname.slice(1);
      for (const each of names.split(",")) {
        const [used] = each
          .trim()
          .replace(/^type /, "")
          .split(" as ");
        const key = `${to} ${used}`;
        users.set(key, (users.get(key) ?? new Set()).add(from));
      }
    }
  const all = [...sources].flatMap(([file, text]) =>
    [...text.matchAll(exported)].map(([, name]) => `${file} ${name}`),
  );
  const usedOnce = all.filter((key) => users.get(key)?.size === 1);
  return Math.ceil((usedOnce.length / Math.max(all.length, 1)) * 100);
}
