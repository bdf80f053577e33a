import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { withFiles } from "../support/manifest-files.ts";

const files = {
  "catalog/datahub-gitops.yaml": `version: 1
environments:
  prod: { paths: [prod/**], base: refs/datahub-gitops/prod }
`,
  "catalog/policies.yaml": `- { kind: Policy, id: owned, match: { kind: Dataset }, require: { owners: true } }
- { kind: Policy, id: "a\\u001b[31m", match: { kind: Dataset }, require: { owners: true } }
`,
  "catalog/prod/rules.yaml": `- { kind: Rule, id: finance, match: { kind: Dataset }, declare: { domain: finance } }
- { kind: Dataset, platform: snowflake, name: prod.invoices, tags: [pii] }
- { kind: Domain, id: finance }
`,
  "catalog/broken.yaml": "kind: [",
  "below/": "",
};

test.each([
  ["policy", "owned\n"],
  ["rule", "finance\n"],
  ["entity", "finance\nprod.invoices\n"],
])("complete %s prints what can be read, from anywhere in the repository", async (type, stdout) => {
  await withFiles({ ...files, ".git/": "" }, async (cwd) => {
    for (const from of [cwd, `${cwd}/below`])
      expect(await runCli(["complete", type], { cwd: from })).toEqual({ code: 0, stdout, stderr: "" });
  });
});

test("complete prints nothing where there are no manifests, and no help lists it", async () => {
  const cwd = temporaryDirectory();
  expect(await runCli(["complete", "policy"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await runCli(["--help"], { cwd })).stdout).not.toMatch(/^ {2}complete\b/m);
});
