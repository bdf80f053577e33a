import type { KnownCapability } from "./capability.ts";

/** What a set-up was checked for. */
export interface Diagnosis {
  readonly checks: readonly Check[];
  /** What the server can do of what only some can; none where it could not be asked. */
  readonly capabilities: readonly KnownCapability[];
}

/** What a check of a set-up found. */
export interface Check {
  /** What was looked at. */
  readonly id: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  /** What to do about it. */
  readonly todo?: string;
}

/** Something that works. */
export function ok(id: string, message: string): Check {
  return { id, status: "ok", message };
}

/** Something that may be meant, or that only some commands need. */
export function warning(id: string, message: string, todo: string): Check {
  return { id, status: "warning", message, todo };
}

/** Something that keeps a plan or an apply from working. */
export function problem(id: string, message: string, todo: string): Check {
  return { id, status: "problem", message, todo };
}
