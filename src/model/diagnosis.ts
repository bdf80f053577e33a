/** Represents the result of `doctor`: the outcome of each check, and the capabilities of the server. */

import type { KnownCapability } from "./capability.ts";

/** The result of checking a setup. */
export interface Diagnosis {
  readonly checks: readonly Check[];
  /** The capabilities that only some servers have, and whether this server has them; empty if the server was unreachable. */
  readonly capabilities: readonly KnownCapability[];
}

/** The result of one check. */
export interface Check {
  readonly id: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  /** Advice for the user on how to fix the problem. */
  readonly todo?: string;
}

/** Creates the result of a check that passed. */
export function ok(id: string, message: string): Check {
  return { id, status: "ok", message };
}

/** Creates a warning about something that may be intentional, or that affects only a few commands. */
export function warning(id: string, message: string, todo: string): Check {
  return { id, status: "warning", message, todo };
}

/** Creates a finding about a problem that prevents planning or applying. */
export function problem(id: string, message: string, todo: string): Check {
  return { id, status: "problem", message, todo };
}
