import type { SettingsProblems } from "../../model/problem-codes.ts";
import { appliedRefs } from "../../model/settings.ts";
import { choice, code, type ProblemTexts } from "./problem-text.ts";

/** Problems of the settings that manifests do not have. */
export const settingsTexts: ProblemTexts<SettingsProblems> = {
  "not-settings": {
    meaning: "The settings file does not hold a mapping.",
    message: () => "settings must be a mapping that begins with `version: 1`: add it, or remove the file",
  },
  "several-settings": {
    meaning: "The settings file holds more than one YAML document.",
    message: () => "settings must be a single YAML document: remove the second one",
  },
  "base-ref": {
    meaning: "`base` in the settings is not a valid ref.",
    message: ({ text }) =>
      `${code(text)} is not a valid ref: it must not start with \`-\` or contain white space (example: \`refs/datahub-gitops/applied\`)`,
  },
  "urn-pattern": {
    meaning: "A pattern of an ignore rule is compared with whole URNs, but cannot match any.",
    message: ({ field, text }) =>
      `${code(field)} cannot match any URN: ${code(text)} is compared with whole URNs, so it must begin with \`urn:li:\` or \`*\``,
  },
  "server-address": {
    meaning: "`server` in the settings is not a valid address.",
    message: ({ text }) =>
      `${code(text)} is not a valid address: use an address like \`https://datahub.example.com/api/gms\``,
  },
  "server-credentials": {
    meaning: "`server` in the settings contains a user name or password.",
    message: () => "the server address must not contain a user name or password: remove the part before `@`",
    secret: true,
  },
  "links-address": {
    meaning: "`links` in the settings is not the address of a web interface.",
    message: () =>
      "`links` is not the address of a web interface: use an address like `https://datahub.example.com`, without a user name, `?` or `#`",
    secret: true,
  },
  "environment-name": {
    meaning: "The name of an environment in the settings is not valid.",
    message: ({ name }) =>
      `${code(name)} is not a valid name of an environment: use letters, digits, \`-\`, \`_\` and \`.\`, beginning with a letter or digit`,
  },
  "environment-base": {
    meaning: "The `base` of an environment is not a ref under `refs/datahub-gitops/`.",
    message: ({ text }) =>
      `the base of an environment must be a ref under \`${appliedRefs}\`, which an apply can move, but is ${code(text)} (example: \`${appliedRefs}prod\`)`,
  },
  "same-base": {
    meaning:
      "Two environments have the same base. The base says what was applied to one server. Both places are named.",
    message: ({ text }) =>
      `another environment has the same base ${code(text)}: each environment needs a \`base\` of its own, because it says what was applied there`,
  },
  "unmatched-path": {
    meaning: "A pattern in `paths` of an environment matches no manifest file.",
    message: ({ pattern, dir }) =>
      `no manifest file matches ${code(pattern)}: patterns are compared with whole paths below ${code(dir)}, and \`*\` matches any text`,
  },
  "outside-environments": {
    meaning:
      "Warning: no environment has this manifest file, so it is never applied. Found by `validate` without `--env`.",
    message: ({ environments }) =>
      `this file belongs to no environment: add its path to \`paths\` of ${choice(environments)}`,
    isOfFile: true,
  },
};
