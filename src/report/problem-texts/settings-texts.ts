/** The messages of problems with settings. */

import type { SettingsProblems } from "../../model/problem-codes.ts";
import { appliedRefs } from "../../model/settings.ts";
import { choice, code, type ProblemTexts } from "./problem-text.ts";

/** Problems that only settings have. */
export const settingsTexts: ProblemTexts<SettingsProblems> = {
  "not-settings": () =>
    "settings must be a mapping that begins with `version: 1`: add it, or remove the file",
  "several-settings": () => "settings must be a single YAML document: remove the second one",
  "base-ref": ({ text }) =>
    `${code(text)} is not a valid ref: it must not start with \`-\` or contain white space (example: \`refs/datahub-gitops/applied\`)`,
  "urn-pattern": ({ field, text }) =>
    `${code(field)} cannot match any URN: ${code(text)} is compared with whole URNs, so it must begin with \`urn:li:\` or \`*\``,
  "server-address": ({ text }) =>
    `${code(text)} is not a valid address: use an address like \`https://datahub.example.com/api/gms\``,
  "server-credentials": () =>
    "the server address must not contain a user name or password: remove the part before `@`",
  "links-address": () =>
    "`links` is not the address of a web interface: use an address like `https://datahub.example.com`, without a user name, `?` or `#`",
  "environment-name": ({ name }) =>
    `${code(name)} is not a valid name of an environment: use letters, digits, \`-\`, \`_\` and \`.\`, beginning with a letter or digit`,
  "environment-base": ({ text }) =>
    `the base of an environment must be a ref under \`${appliedRefs}\`, which an apply can move, but is ${code(text)} (example: \`${appliedRefs}prod\`)`,
  "same-base": ({ text }) =>
    `another environment has the same base ${code(text)}: each environment needs a \`base\` of its own, because it says what was applied there`,
  "runs-base": ({ text }) =>
    `${code(text)} cannot be the base: runs are kept there (example: \`${appliedRefs}applied\`)`,
  "unmatched-path": ({ pattern, dir }) =>
    `no manifest file matches ${code(pattern)}: patterns are compared with whole paths below ${code(dir)}, and \`*\` matches any text`,
  "outside-environments": ({ environments }) =>
    `this file belongs to no environment: add its path to \`paths\` of ${choice(environments)}`,
};
