import type { Plan } from "../model/plan.ts";
import { printable } from "./printable.ts";

/** The server that a plan was made for, after its environment where it has one: `prod (https://datahub.acme.com)`. */
export function serverName({ target, scope }: Pick<Plan, "target" | "scope">): string {
  const environment = scope?.environment;
  return printable(environment === undefined ? target : `${environment} (${target})`);
}

/** The line with which the text of a plan begins. */
export function serverLine(plan: Pick<Plan, "target" | "scope">): string {
  return `Server: ${serverName(plan)}`;
}
