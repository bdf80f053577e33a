/** The result of `doctor`: checks of a setup, and the capabilities of the server. */

import type { KnownCapability } from "./capability.ts";

/** The result of checking a setup. */
export interface Diagnosis {
  readonly checks: readonly Check[];
  /** The known state of capabilities that only some servers have; empty if the server could not be reached. */
  readonly capabilities: readonly KnownCapability[];
}

/** The result of one check. */
export interface Check {
  /** The subject of the check. */
  readonly id: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  /** The advice to the user. */
  readonly todo?: string;
}

/** A check that passed. */
export function ok(id: string, message: string): Check {
  return { id, status: "ok", message };
}

/** A finding that may be intended, or that matters to few commands. */
export function warning(id: string, message: string, todo: string): Check {
  return { id, status: "warning", message, todo };
}

/** A finding that prevents a plan or an apply. */
export function problem(id: string, message: string, todo: string): Check {
  return { id, status: "problem", message, todo };
}
