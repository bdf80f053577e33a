/** Defines the problems with settings, and with declared values that the settings ignore. */

import { applied, orders, pii } from "./samples.ts";
import { appliedRefs } from "../settings.ts";
import { choice, code } from "./text.ts";
import { problem, type Words } from "./problem.ts";

export const settingsProblems = {
  /** Warning: an ignore rule in the settings covers a declared value, so the value is never written. Both places are reported. */
  "ignored-value": problem({
    message: ({
      value,
      facet,
      reason,
    }: {
      urn: string;
      facet: string;
      column?: string;
      value: string;
      reason: string;
    }) =>
      `the settings ignore ${code(value)} in ${code(facet)} (${reason}): remove it here, or narrow the ignore rule`,
    trait: "ignored",
    samples: [{ urn: orders, facet: "tags", value: pii, reason: "owned by dbt" }],
  }),
  /** Warning: an ignore rule in the settings covers every value of a declared facet. Both places are reported. */
  "ignored-facet": problem({
    message: ({ facet, urn, reason }: { urn: string; facet: string; reason: string }) =>
      `the settings ignore ${code(facet)} of ${code(urn)} (${reason}): remove it here, or narrow the ignore rule`,
    trait: "ignored",
    samples: [{ urn: orders, facet: "tags", reason: "owned by dbt" }],
  }),
  /** Warning: an ignore rule in the settings covers a declared entity completely. Both places are reported. */
  "ignored-entity": problem({
    message: ({ kind, urn, reason }: { urn: string; kind: string; reason: string }, { nounOf }: Words) =>
      `the settings ignore ${nounOf(kind)} ${code(urn)} (${reason}): remove its manifest, or narrow the ignore rule`,
    trait: "ignored",
    samples: [{ urn: pii, kind: "Tag", reason: "owned by dbt" }],
  }),
  /** The settings file does not contain a mapping. */
  "not-settings": problem({
    message: "settings must be a mapping that begins with `version: 1`: correct or remove the file",
  }),
  /** The settings file contains more than one YAML document. */
  "several-settings": problem({
    message: "settings must be a single YAML document: remove the other documents",
  }),
  /** `base` in the settings is not a valid ref. */
  "base-ref": problem({
    message: ({ text }: { text: string }) =>
      `${code(text)} is not a valid ref: it must not start with \`-\` or contain white space (example: \`refs/datahub-gitops/applied\`)`,
    samples: [{ text: "-x" }],
  }),
  /** A pattern in an ignore rule cannot match any URN. Such patterns are compared with full URNs. */
  "urn-pattern": problem({
    message: ({ field, text }: { field: string; text: string; write?: string }) =>
      `${code(field)} cannot match any URN: ${code(text)} is compared with full URNs, so it must begin with \`urn:li:\` or \`*\``,
    samples: [{ field: "ignore[0].value", text: "pii", write: pii }],
  }),
  /** `server` in the settings is not a valid URL. */
  "server-address": problem({
    message: ({ text }: { text: string }) =>
      `${code(text)} is not a valid URL: use a URL like \`https://datahub.example.com/api/gms\``,
    samples: [{ text: "datahub" }],
  }),
  /** `server` in the settings contains a user name or password. */
  "server-credentials": problem({
    message:
      "the server URL must not contain a user name or password: remove everything between `//` and the host",
    line: "secret",
  }),
  /** `links` in the settings is not the URL of a web interface. */
  "links-address": problem({
    message:
      "`links` is not the URL of a web interface: use a URL like `https://datahub.example.com`, without a user name, `?` or `#`",
    line: "secret",
  }),
  /** The name of an environment in the settings is not valid. */
  "environment-name": problem({
    message: ({ name }: { name: string }) =>
      `${code(name)} is not a valid environment name: use letters, digits, \`-\`, \`_\` and \`.\`, starting with a letter or digit`,
    samples: [{ name: "my prod" }],
  }),
  /** The `base` of an environment is not a ref under `refs/datahub-gitops/`. */
  "environment-base": problem({
    message: ({ text }: { text: string }) =>
      `${code(text)} cannot be the base of an environment: use a ref under \`${appliedRefs}\`, so that an apply can move it (example: \`${appliedRefs}prod\`)`,
    samples: [{ text: "main" }],
  }),
  /** Two environments have the same base. A base records what was applied to one server. Both places are reported. */
  "same-base": problem({
    message: ({ text }: { text: string }) =>
      `another environment has the same base ${code(text)}: each environment needs its own \`base\`, which records what was applied to it`,
    samples: [{ text: applied }],
  }),
  /** `base` in the settings is a ref that stores runs. Use a different ref under `refs/datahub-gitops/`. */
  "runs-base": problem({
    message: ({ text }: { text: string }) =>
      `${code(text)} cannot be the base, because runs are stored there: use a different ref, such as \`${appliedRefs}applied\``,
    samples: [{ text: "refs/datahub-gitops/runs" }],
  }),
  /** A pattern in an environment's `paths` matches no manifest file. */
  "unmatched-path": problem({
    message: ({ pattern, dir }: { pattern: string; dir: string; write?: string }) =>
      `no manifest file matches ${code(pattern)}: patterns are compared with complete file paths relative to ${code(dir)}, and \`*\` matches any text`,
    trait: "no-manifest",
    samples: [{ pattern: "prod", dir: "catalog", write: "prod/*" }],
  }),
  /** Warning: a manifest file belongs to no environment, so it is never applied. `validate` without `--env` reports it. */
  "outside-environments": problem({
    message: ({ environments }: { environments: readonly string[] }) =>
      `this file belongs to no environment: add its path to the \`paths\` of ${choice(environments)}`,
    line: "none",
    samples: [{ environments: ["dev", "prod"] }],
  }),
};
