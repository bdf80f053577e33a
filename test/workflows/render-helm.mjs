// Lints the chart with Helm, and renders it for the linter, which has no Helm: node test/workflows/render-helm.mjs HELM
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { chart, headOf, renderingFile, renderings } from "./lint/helm.mjs";

const [, , helm = "helm"] = process.argv;

for (const [name, values] of Object.entries(renderings)) {
  const flags = values.flatMap((value) => ["--set", value]);
  execFileSync(helm, ["lint", "--strict", chart, ...flags], { stdio: "inherit" });
  const argv = ["template", "datahub-gitops", chart, "--kube-version", "1.29.0", ...flags];
  const rendered = execFileSync(helm, argv, { encoding: "utf8" });
  mkdirSync(dirname(renderingFile(name)), { recursive: true });
  writeFileSync(renderingFile(name), `${headOf()}\n${rendered}`);
}
