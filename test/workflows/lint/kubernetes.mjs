import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { scheduleErrors } from "./cron.mjs";

const folder = "examples/kubernetes";
const require = createRequire(import.meta.url);
const schemas = join(dirname(require.resolve("kubernetes-models")), "_schemas");

/** The manifests by the schemas of Kubernetes' API, which has no field that it does not know. */
export function lintKubernetes() {
  return readdirSync(folder).flatMap((name) => {
    const file = join(folder, name);
    return lintManifests(file, readFileSync(file, "utf8"));
  });
}

/** What is wrong with the manifests in a text. */
export function lintManifests(file, text) {
  return parseAllDocuments(text).flatMap((document) => [
    ...document.errors.map(({ message }) => `${file}: ${message}`),
    ...errorsIn(file, document.toJS()),
  ]);
}

function errorsIn(file, object) {
  const [api, version] = object.apiVersion.includes("/") ? object.apiVersion.split("/") : ["core", "v1"];
  const [group] = api.split(".");
  const schema = `IoK8sApi${capitalized(group)}${capitalized(version)}${object.kind}`;
  // By its path: the package exports only classes, and their own validation reads every field.
  const { validate } = require(join(schemas, `${schema}.js`));
  const seen = new Set();
  validate(watched(object, "", seen));
  const unknown = pathsIn(object, "").filter((path) => !seen.has(path));
  const { schedule } = object.spec ?? {};
  return [
    ...(validate.errors ?? []).map(
      (error) => `${file}: ${error.instancePath} ${JSON.stringify(error.params)}`,
    ),
    ...unknown.map((path) => `${file}: ${path} is not known`),
    ...(schedule === undefined ? [] : scheduleErrors(file, schedule)),
  ];
}

function capitalized(word) {
  return word[0].toUpperCase() + word.slice(1);
}

/** An object that notes which of its fields are read: the validation reads those that the schemas have. */
function watched(value, path, seen) {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get: (target, name) => {
      if (typeof name === "symbol") return Reflect.get(target, name);
      seen.add(`${path}/${name}`);
      return watched(Reflect.get(target, name), `${path}/${name}`, seen);
    },
  });
}

function pathsIn(value, path) {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${path}/${name}`,
    ...pathsIn(inner, `${path}/${name}`),
  ]);
}
