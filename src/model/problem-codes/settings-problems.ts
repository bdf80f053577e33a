import type { NoArgs } from "./arguments.ts";

/** The arguments of problems with the settings that manifests do not have, by code. */
export interface SettingsProblems {
  readonly "not-settings": NoArgs;
  readonly "several-settings": NoArgs;
  readonly "base-ref": { readonly text: string };
  readonly "urn-pattern": { readonly field: string; readonly text: string; readonly write?: string };
  readonly "server-address": { readonly text: string };
  readonly "server-credentials": NoArgs;
  readonly "links-address": NoArgs;
  readonly "environment-name": { readonly name: string };
  readonly "environment-base": { readonly text: string };
  readonly "same-base": { readonly text: string };
  readonly "unmatched-path": { readonly pattern: string; readonly dir: string; readonly write?: string };
  readonly "outside-environments": { readonly environments: readonly string[] };
}
