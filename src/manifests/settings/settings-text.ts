/** Creates the text for a new settings file. */

import { stringify } from "yaml";
import { editorHeader, schemaFiles } from "../../model/schema-head.ts";
import { appliedRefs, type Mode } from "../../model/settings.ts";

/** The choices for a new settings file. */
export interface NewSettings {
  /** The only allowed server. If `undefined`, every server is allowed. */
  readonly server: string | undefined;
  /** The mode for all facets. */
  readonly mode: Mode;
}

/** The base ref in new settings. */
export const newBase = `${appliedRefs}applied`;

/** Returns a new settings file's text, including comments. */
export function newSettingsText({ server, mode }: NewSettings): string {
  return [
    editorHeader(schemaFiles.settings),
    "# The version of this format.",
    "version: 1",
    "# The only server that these manifests may be planned against or applied to. This setting does not select the server.",
    server === undefined ? "# server: https://datahub.example.com/api/gms" : stringify({ server }).trimEnd(),
    "# What to do with live values that are not declared: `additive` keeps them, `merge` removes those that were",
    "# previously declared, and `authoritative` removes all of them. A manifest can have its own `manage`.",
    "# To set a mode for each facet, use a mapping: `manage: { tags: merge }`.",
    `manage: ${mode}`,
    "# The Git ref of the last applied commit. A complete apply moves it.",
    `base: ${newBase}`,
    "",
  ].join("\n");
}
