import type { JsonObject } from "../model/json.ts";
import { printable } from "./printable.ts";

/** Why a command has no result. `code` is for programs, `message` is a sentence for people. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A failure as JSON. */
export function failureJson({ code, message }: Failure): JsonObject {
  return { formatVersion: "1", error: { code, message: printable(message) } };
}

/** A failure as text: one line. */
export function failureText({ message }: Failure): string {
  return printable(`error: ${message}`);
}
