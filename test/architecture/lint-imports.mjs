// The linter's rule for imports: they respect the order of folders in order.json.
import { relative, resolve, dirname, sep } from "node:path";
import { isAllowed, isInOrder, orderIn } from "./imports.mjs";

const root = resolve(import.meta.dirname, "../..");
const order = orderIn(root);

function pathOf(file) {
  return relative(`${root}/src`, file).replaceAll(sep, "/");
}

function faultOf(filename, name) {
  const from = pathOf(filename);
  if (!name.startsWith(".")) {
    const [folder] = from.split("/");
    return isAllowed(order, folder, name) ? undefined : `${folder} does not list the package ${name}`;
  }
  const to = pathOf(resolve(dirname(filename), name));
  return isInOrder(order, { from, to }) ? undefined : `${from} does not come after ${to}`;
}

function check(context) {
  const checkSource = ({ source }) => {
    const fault = typeof source?.value === "string" ? faultOf(context.filename, source.value) : undefined;
    if (fault) context.report({ node: source, message: `${fault} in test/architecture/order.json` });
  };
  return {
    ImportDeclaration: checkSource,
    ImportExpression: checkSource,
    TSImportType: checkSource,
    ExportNamedDeclaration: checkSource,
    ExportAllDeclaration: checkSource,
  };
}

export default { meta: { name: "structure" }, rules: { "import-order": { create: check } } };
