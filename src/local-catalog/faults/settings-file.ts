/** Reads fault settings from a file and validates them. */

import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject } from "ajv";
import { isNode, LineCounter, parseDocument, type Document } from "yaml";
import { messageOf } from "../errors.ts";
import { faultNames, type FaultSettings, faultSettingsSchema } from "./settings.ts";

/** The settings from a faults file, or the reason why the file is unusable, with the line number if it is known. */
export type ReadFaults = { readonly settings: FaultSettings } | { readonly problem: string };

/** Reads a faults file in YAML or JSON. `name` is the file name to use in messages. Does not throw. */
export function readFaults(path: string, name: string): ReadFaults {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { problem: `cannot read ${name}: ${messageOf(error)}` };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault) return { problem: `${name}:${lines.linePos(fault.pos[0]).line}: ${fault.message}` };
  return checked(document, lines, name);
}

function checked(document: Document, lines: LineCounter, name: string): ReadFaults {
  try {
    const settings: unknown = document.toJS();
    const ajv = new Ajv({ strict: false, discriminator: true });
    // The schema accepts only values of this type.
    if (ajv.validate(faultSettingsSchema, settings)) return { settings: settings as FaultSettings };
    const [error] = ajv.errors ?? [];
    return { problem: error ? messageFor(error, document, lines, name) : `${name} is not valid` };
  } catch (error) {
    // `toJS` throws an error if an alias has no anchor or there are too many aliases.
    return { problem: `${name}: ${messageOf(error)}` };
  }
}

function messageFor(error: ErrorObject, document: Document, lines: LineCounter, name: string): string {
  const path = error.instancePath.split("/").slice(1);
  const node = path.length > 0 ? document.getIn(path, true) : document.contents;
  const range = isNode(node) ? node.range : undefined;
  const line = range ? `:${lines.linePos(range[0]).line}` : "";
  const place = path.join(".").replaceAll(/\.(\d+)/g, "[$1]");
  const requirement = requirements[error.keyword]?.(error.params) ?? error.message ?? "is not valid";
  return `${name}${line}: ${place === "" ? "the file" : place} ${requirement}`;
}

const types: Readonly<Record<string, string>> = {
  object: "a mapping",
  array: "a list",
  integer: "a whole number",
  number: "a number",
  string: "a string",
};

const requirements: Readonly<Record<string, (params: ErrorObject["params"]) => string>> = {
  discriminator: () => `must have a "fault" that is one of: ${faultNames.join(", ")}`,
  additionalProperties: (params) => `has an unknown key: ${params["additionalProperty"]}`,
  required: (params) => `has no "${params["missingProperty"]}"`,
  enum: (params) => `must be one of: ${params["allowedValues"].join(", ")}`,
  type: (params) => `must be ${types[params["type"]]}`,
  minimum: (params) => `must be at least ${params["limit"]}`,
  maximum: (params) => `must be at most ${params["limit"]}`,
};
