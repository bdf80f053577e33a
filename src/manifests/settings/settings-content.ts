/** Converts a valid settings file to settings: fills in defaults, and computes the settings for each environment. */

import type { JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { FromSchema } from "../../model/schema-type.ts";
import type { IgnoreRule, LimitsByGuard, Modes } from "../../model/settings.ts";
import type { KindName } from "../../model/state.ts";
import { type Limits, limitsFrom } from "../../plan/checks/guards/index.ts";
import { withoutSecrets } from "../../model/text/address.ts";
import { elementsIn, originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";
import { declarableFacets, modesFrom } from "../schema/manage-schema.ts";
import type { PathPattern } from "./environments.ts";
import { defaultPruneKinds, type settingsFields } from "../schema/settings-fields.ts";

/** The content of a settings file that matches the schema. */
type Content = FromSchema<{ readonly type: "object"; readonly properties: typeof settingsFields }>;

type EnvironmentContent = NonNullable<Content["environments"]>[string];

/** A repository's settings. Fields that are not listed here are the same as in the settings file. */
export interface Settings extends Omit<Content, "manage" | "ignore" | "guards" | "prune" | "environments"> {
  /** The modes, keyed by facet. The entry for `groups` applies to memberships that user manifests declare. */
  readonly manage?: Modes;
  /** The ignored values and entities, in file order. */
  readonly ignore?: readonly IgnoreRule[];
  /** The guards' limits, including defaults. */
  readonly limits: Limits;
  /** The position of the `base` value. */
  readonly baseOrigin?: Origin;
  /** The kinds that `--prune` may delete, and whether it may also remove assignments. Includes defaults. */
  readonly prune: { readonly kinds: ReadonlySet<KindName>; readonly assignments: boolean };
  /** The patterns that select the manifest files for these settings. If absent, all files are selected. */
  readonly paths?: readonly PathPattern[];
  /** Each environment's settings, including inherited general settings, in file order. */
  readonly environments?: ReadonlyMap<string, Settings>;
}

/** Reads the settings from a mapping that has already passed the schema check. */
export function settingsFrom(document: ParsedDocument, root: JsonObject): Settings {
  const content = root as unknown as Content;
  const settings = effective(document, root, content);
  if (content.environments === undefined) return settings;
  const each = Object.entries(content.environments).map(
    ([name, own]) => [name, ofEnvironment(document, settings, content, own)] as const,
  );
  return { ...settings, environments: new Map(each) };
}

function effective(document: ParsedDocument, root: JsonObject, content: Content): Settings {
  const { guards, prune, ignore, server, manage, environments: _, ...common } = content;
  const base = placesIn(document, root).get("base");
  return {
    ...common,
    // The server URL is used only for comparison and display, so secrets are removed from it.
    ...(server !== undefined && { server: withoutSecrets(server) }),
    ...(manage !== undefined && { manage: modesFrom(manage, declarableFacets) }),
    ...(ignore && {
      ignore: elementsIn(document, ignore).map(({ value: rule, place }) => {
        return { ...rule, origin: originIn(document, place.value) };
      }),
    }),
    ...(base && { baseOrigin: originIn(document, base.value) }),
    limits: limitsFrom(guards ?? {}),
    prune: {
      kinds: new Set(prune?.kinds ?? defaultPruneKinds),
      assignments: prune?.assignments ?? false,
    },
  };
}

/** Returns an environment's settings, including the general settings that it does not override. */
function ofEnvironment(
  document: ParsedDocument,
  defaults: Settings,
  { ignore: _, ...shared }: Content,
  environment: EnvironmentContent,
): Settings {
  const { paths, ...own } = environment;
  const mapping = environment as JsonObject;
  const content = {
    ...shared,
    ...own,
    guards: mergedLimits(shared.guards, own.guards),
    prune: { ...shared.prune, ...own.prune },
  };
  return {
    ...defaults,
    ...effective(document, mapping, content),
    ...(paths && {
      paths: elementsIn(document, paths).map(({ value: pattern, place }) => {
        return { pattern, origin: originIn(document, place.value) };
      }),
    }),
  };
}

/** Merges two mappings of guard limits. Limits in the second mapping take precedence. */
function mergedLimits(first: LimitsByGuard = {}, second: LimitsByGuard = {}): LimitsByGuard {
  const guards = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...guards].map((guard) => [guard, { ...first[guard], ...second[guard] }]));
}
