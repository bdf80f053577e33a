import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { XmlDocument, XsdValidator } from "libxml2-wasm";

interface Schema {
  readonly [key: string]: unknown;
}

/** OASIS' schema of SARIF 2.1.0. It is written in draft 4 of JSON Schema, which Ajv reads as far as it is used there. */
const sarif = checkBy(JSON.parse(fileText("sarif-2.1.0.schema.json")) as Schema);

/** What GitLab asks of an entry (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format). */
const gitlab = checkBy({
  type: "array",
  items: {
    type: "object",
    required: ["description", "check_name", "fingerprint", "location", "severity"],
    additionalProperties: false,
    properties: {
      description: { type: "string" },
      check_name: { type: "string" },
      fingerprint: { type: "string", minLength: 1 },
      severity: { enum: ["info", "minor", "major", "critical", "blocker"] },
      location: {
        type: "object",
        required: ["path", "lines"],
        additionalProperties: false,
        properties: {
          path: { type: "string", minLength: 1, pattern: "^(?!/|\\./)" },
          lines: {
            type: "object",
            required: ["begin"],
            additionalProperties: false,
            properties: { begin: { type: "integer", minimum: 0 } },
          },
        },
      },
    },
  },
});

function fileText(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}

function checkBy({ $schema: _, id: _id, ...schema }: Schema): ValidateFunction {
  return new Ajv({
    strict: false,
    validateFormats: false,
    unicodeRegExp: false,
    code: { optimize: false },
  }).compile(schema);
}

/** What is wrong with a text by the schema of its format; empty where nothing is. */
export const faultsBy: Readonly<Record<"sarif" | "gitlab" | "junit", (text: string) => readonly unknown[]>> =
  {
    sarif: (text) => (sarif(JSON.parse(text)) ? [] : (sarif.errors ?? [])),
    gitlab: (text) => (gitlab(JSON.parse(text)) ? [] : (gitlab.errors ?? [])),
    junit: junitFaults,
  };

/** Jenkins' schema of JUnit XML. */
function junitFaults(text: string): readonly unknown[] {
  const xsd = XmlDocument.fromString(fileText("jenkins-junit.xsd"));
  const validator = XsdValidator.fromDoc(xsd);
  try {
    const document = XmlDocument.fromString(text);
    try {
      validator.validate(document);
      return [];
    } finally {
      document.dispose();
    }
  } catch (error) {
    return [error];
  } finally {
    validator.dispose();
    xsd.dispose();
  }
}
