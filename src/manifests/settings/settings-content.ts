/** Turns a valid settings file into settings: fills in defaults, and applies each environment. */

import type { JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { ReadMode } from "../../model/live.ts";
import type { WriteMode } from "../../model/operation.ts";
import type {
  FightLimits,
  IgnoreRule,
  RunRetention,
  LimitsByGuard,
  Mode,
  Modes,
} from "../../model/settings.ts";
import type { KindName } from "../../model/state.ts";
import { type Limits, limitsFrom } from "../../plan/checks/guards/index.ts";
import { withoutSecrets } from "../../model/text/address.ts";
import { elementsIn, originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";
import { declarableFacets, modesFrom } from "../schema/manage-schema.ts";
import type { PathPattern } from "./environments.ts";
import { defaultPruneKinds } from "../schema/settings-fields.ts";

/** The settings without conversion. */
interface Common {
  readonly version: 1;
  /** The only server for these manifests. It is compared, not used as an address. */
  readonly server?: string;
  /** The reaction to declared assets or columns that do not exist in the catalog. */
  readonly missing?: "error" | "skip";
  /** Whether a conflict is an open problem, or known and accepted; the live value stays in either case. */
  readonly conflicts?: "hold" | "skip";
  /** The way to write assignments: with mutations, or with proposals that fail if others wrote in between. */
  readonly writes?: WriteMode;
  /** The way to read assets. It does not change the plan. */
  readonly reads?: ReadMode;
  /** The names on GitHub to mention when a change affects values of an owner, by URN of the user or group. */
  readonly github?: { readonly mention?: Readonly<Record<string, string>> };
  /** The reviewers to request: teams on GitHub by group, and users on GitHub by user, each by id or URN. */
  readonly reviewers?: Readonly<Partial<Record<"groups" | "users", Readonly<Record<string, string>>>>>;
  /** The required reviews of a pull request. */
  readonly require?: { readonly review?: "owners" };
  /** Whether a violation that only the policies of the merge base would stop stops the plan. */
  readonly policies?: { readonly strict?: boolean };
  /** The maximum number of days until a waiver expires. */
  readonly waivers?: { readonly max_days?: number };
  /** Whether to store runs in the repository, and how many. */
  readonly runs?: RunRetention;
  /** The limits for values that others change back. */
  readonly fights?: FightLimits;
  /** The address of DataHub's web interface, for links only. */
  readonly links?: string;
  /** The ref of the last applied commit. */
  readonly base?: string;
}

/** The settings of a repository. */
export interface Settings extends Common {
  /** Modes by facet, and under `groups` for memberships that users declare. */
  readonly manage?: Modes;
  /** The ignored values and entities, in the order of the file. */
  readonly ignore?: readonly IgnoreRule[];
  /** The limits of the guards, with defaults. */
  readonly limits: Limits;
  /** The place of the value of `base`. */
  readonly baseOrigin?: Origin;
  /** The kinds and values that a prune may delete, with defaults. */
  readonly prune: {
    readonly kinds: ReadonlySet<KindName>;
    /** Whether a prune also removes values that are no longer declared. */
    readonly assignments: boolean;
  };
  /** The manifest files for these settings; if absent, all files. */
  readonly paths?: readonly PathPattern[];
  /** The settings of each environment, in the order of the file. They include the settings for all environments. */
  readonly environments?: ReadonlyMap<string, Settings>;
}

/** The settings that an environment can override. */
interface EnvironmentContent extends Omit<
  Common,
  "version" | "github" | "reviewers" | "require" | "runs" | "fights"
> {
  readonly guards?: LimitsByGuard;
  readonly prune?: { readonly kinds?: readonly KindName[]; readonly assignments?: boolean };
  readonly paths?: readonly string[];
}

/** The content of a settings file that fits the schema. */
interface SettingsContent extends Common, Omit<EnvironmentContent, "paths"> {
  readonly manage?: Mode | Modes;
  readonly ignore?: readonly IgnoreRule[];
  readonly environments?: Readonly<Record<string, EnvironmentContent>>;
}

/** The settings in a mapping, which must have passed the schema. */
export function settingsFrom(document: ParsedDocument, root: JsonObject): Settings {
  const { environments, ...content } = root as unknown as SettingsContent;
  const settings = effective(document, root, content);
  if (environments === undefined) return settings;
  const each = Object.entries(environments).map(
    ([name, own]) => [name, ofEnvironment(document, settings, content, own)] as const,
  );
  return { ...settings, environments: new Map(each) };
}

function effective(
  document: ParsedDocument,
  root: JsonObject,
  content: Omit<SettingsContent, "environments">,
): Settings {
  const { guards, prune, ignore, server, manage, ...common } = content;
  return {
    ...common,
    // The server is only compared and shown.
    ...(server !== undefined && { server: withoutSecrets(server) }),
    ...(manage !== undefined && { manage: modesFrom(manage, declarableFacets) }),
    ...(ignore && {
      ignore: elementsIn(document, ignore).map(({ value: rule, place }) => {
        return { ...rule, origin: originIn(document, place.value) };
      }),
    }),
    ...baseOriginIn(document, root),
    limits: limitsFrom(guards ?? {}),
    prune: {
      kinds: new Set(prune?.kinds ?? defaultPruneKinds),
      assignments: prune?.assignments ?? false,
    },
  };
}

/** The settings of an environment, which override those for all. */
function ofEnvironment(
  document: ParsedDocument,
  defaults: Settings,
  { ignore: _, ...shared }: Omit<SettingsContent, "environments">,
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

/** The limits of two mappings. Each limit of the second wins. */
function mergedLimits(first: LimitsByGuard = {}, second: LimitsByGuard = {}): LimitsByGuard {
  const guards = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...guards].map((guard) => [guard, { ...first[guard], ...second[guard] }]));
}

function baseOriginIn(document: ParsedDocument, mapping: JsonObject): Pick<Settings, "baseOrigin"> {
  const base = placesIn(document, mapping).get("base");
  return base ? { baseOrigin: originIn(document, base.value) } : {};
}
