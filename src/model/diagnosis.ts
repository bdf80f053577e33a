/** Represents the result of `doctor`: checks of a setup, and the server's capabilities. */

import type { KnownCapability } from "./capability.ts";

/** The result of checking a setup. */
export interface Diagnosis {
  readonly checks: readonly Check[];
  /** The known state of capabilities that only some servers have; empty if the server was unreachable. */
  readonly capabilities: readonly KnownCapability[];
}

/** The result of one check. */
export interface Check {
  /** The check's subject. */
  readonly id: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  /** The advice to the user. */
  readonly todo?: string;
}

/** Makes a check that passed. */
export function ok(id: string, message: string): Check {
  return { id, status: "ok", message };
}

/** Makes a finding that may be intended, or that matters to few commands. */
export function warning(id: string, message: string, todo: string): Check {
  return { id, status: "warning", message, todo };
}

/** Makes a finding that prevents a plan or an apply. */
export function problem(id: string, message: string, todo: string): Check {
  return { id, status: "problem", message, todo };
}
