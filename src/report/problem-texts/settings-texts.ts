import type { SettingsProblems } from "../../model/problem-codes/settings-problems.ts";
import { code, type ProblemTexts } from "./problem-text.ts";

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
};
