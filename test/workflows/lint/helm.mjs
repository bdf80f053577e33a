import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parse, parseAllDocuments } from "yaml";
import { lintManifests } from "./kubernetes.mjs";

/** The folder of the chart. */
export const chart = "examples/helm";

const folder = "test/workflows/expected/helm";

/** How the chart is rendered, by the name of the file. */
export const renderings = {
  drift: [],
  apply: ["apply.enabled=true", "environment=prod", "branch=main"],
  watch: ["drift.enabled=false", "watch.enabled=true", "secret.gitToken=", "networkPolicy.enabled=false"],
  correct: ["watch.enabled=true", "watch.mode=correct", "networkPolicy.metricsFrom.team=monitoring"],
};

/** The file of a rendering. */
export function renderingFile(name) {
  return join(folder, `${name}.yaml`);
}

/** The first line of a rendering, which tells whether the chart was changed since. */
export function headOf() {
  const names = readdirSync(chart, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash("sha256");
  for (const name of names.toSorted()) hash.update(name).update("\0").update(readFileSync(name)).update("\0");
  return `# Rendered from the chart sha256:${hash.digest("hex")} by node test/workflows/render-helm.mjs HELM`;
}

/** The values of the chart by their schema, and what Helm rendered of it by those of Kubernetes. */
export function lintHelm() {
  const validate = new Ajv({ allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8")),
  );
  validate(parse(readFileSync(join(chart, "values.yaml"), "utf8")));
  const { name } = parse(readFileSync(join(chart, "Chart.yaml"), "utf8"));
  return [
    ...(name === "datahub-gitops" ? [] : [`${chart}/Chart.yaml: the name is ${name}`]),
    ...(validate.errors ?? []).map(
      ({ instancePath, message }) => `${chart}/values.yaml: ${instancePath} ${message}`,
    ),
    ...Object.keys(renderings).flatMap((each) => lintRendering(renderingFile(each))),
  ];
}

function lintRendering(file) {
  const text = readFileSync(file, "utf8");
  if (!text.startsWith(`${headOf()}\n`))
    return [`${file}: the chart has changed; render it again: node test/workflows/render-helm.mjs HELM`];
  const pods = parseAllDocuments(text).flatMap((document) => podsIn(document.toJS()));
  return [...lintManifests(file, text), ...pods.flatMap((pod) => lintPod(file, pod))];
}

function podsIn({ kind, spec }) {
  if (kind === "CronJob") return [spec.jobTemplate.spec.template.spec];
  return kind === "Deployment" ? [spec.template.spec] : [];
}

function lintPod(file, { securityContext, containers, initContainers = [], automountServiceAccountToken }) {
  const wanted = [
    ["runs as root", securityContext.runAsNonRoot === true && securityContext.runAsUser > 0],
    ["has a token of Kubernetes", automountServiceAccountToken === false],
    ...[...initContainers, ...containers].flatMap(({ name, securityContext: own, resources, env }) => [
      [`${name} can write to its image`, own.readOnlyRootFilesystem === true],
      [
        `${name} can get privileges`,
        own.allowPrivilegeEscalation === false && own.capabilities.drop[0] === "ALL",
      ],
      [`${name} has no limit of 256Mi`, resources.limits.memory === "256Mi"],
      [`${name} needs a home`, !(env ?? []).some((each) => each.name === "HOME")],
    ]),
  ];
  return wanted.filter(([, holds]) => !holds).map(([what]) => `${file}: ${what}`);
}
