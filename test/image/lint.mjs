// Lints the Dockerfile: what its parser and validator find, and what we want of an image. Ends with 1 on a finding.
import { readFileSync } from "node:fs";
import { DockerfileParser } from "dockerfile-ast";
import { validate, ValidationSeverity } from "dockerfile-utils";

const file = "Dockerfile";
const text = readFileSync(file, "utf8");
const instructions = DockerfileParser.parse(text).getInstructions();
const argumentsOf = (keyword) =>
  instructions
    .filter((each) => each.getKeyword() === keyword)
    .map((each) => each.getArgumentsContent() ?? "");

const strict = {
  deprecatedMaintainer: ValidationSeverity.ERROR,
  directiveCasing: ValidationSeverity.ERROR,
  emptyContinuationLine: ValidationSeverity.ERROR,
  instructionCasing: ValidationSeverity.ERROR,
  instructionCmdMultiple: ValidationSeverity.ERROR,
  instructionEntrypointMultiple: ValidationSeverity.ERROR,
  instructionHealthcheckMultiple: ValidationSeverity.ERROR,
  instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
  instructionWorkdirRelative: ValidationSeverity.ERROR,
};

const wanted = [
  [
    "each image that it starts from has a version and a digest",
    argumentsOf("FROM").every((from) => /:\d[\w.-]+@sha256:[0-9a-f]{64}( AS \w+)?$/.test(from)),
  ],
  [
    "it ends as a user by number, and not as root",
    /^[1-9]\d*:[1-9]\d*$/.test(argumentsOf("USER").at(-1) ?? ""),
  ],
  ["it starts the command without a shell", argumentsOf("ENTRYPOINT").join() === '["datahub-gitops"]'],
  ["it takes no secrets", argumentsOf("ARG").length === 0 && argumentsOf("ENV").length === 0],
  ["it adds no files from elsewhere", argumentsOf("ADD").length === 0],
];

const findings = [
  ...validate(text, strict).map(
    ({ range, message }) => `${file}:${range.start.line + 1} ${JSON.stringify(message)}`,
  ),
  ...wanted.filter(([, holds]) => !holds).map(([what]) => `${file} does not do what we want of it: ${what}`),
];
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;
