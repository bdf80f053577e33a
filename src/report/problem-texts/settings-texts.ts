import type { SettingsProblems } from "../../model/problem-codes/settings-problems.ts";
import { code, type ProblemTexts } from "./problem-text.ts";

/** Problems of the settings that manifests do not have. */
export const settingsTexts: ProblemTexts<SettingsProblems> = {
  "not-settings": {
    meaning: "The settings file holds no mapping.",
    message: () => "settings are a mapping that begins with `version: 1`; without settings remove the file",
  },
  "several-settings": {
    meaning: "The settings file holds more than one YAML document.",
    message: () => "settings are one YAML document: remove the second",
  },
  "base-ref": {
    meaning: "`base` in the settings cannot name a commit.",
    message: (args) =>
      `${code(args.text)} is no ref: it begins with no dash and holds no white space, \`refs/datahub-gitops/applied\` say`,
  },
  "urn-pattern": {
    meaning: "A pattern of an ignore rule is compared with whole URNs and can match none.",
    message: (args) =>
      `${code(args.field)} is compared with whole URNs, and none is ${code(args.text)}: it begins with \`urn:li:\` or \`*\``,
  },
  "server-address": {
    meaning: "`server` in the settings is no address.",
    message: (args) =>
      `${code(args.text)} is no address: write it as \`https://datahub.example.com/api/gms\``,
  },
  "server-credentials": {
    meaning: "`server` in the settings holds a user name or password.",
    message: () =>
      "an address in the settings must not hold a user name or password: remove what stands before the `@`",
    secret: true,
  },
};
