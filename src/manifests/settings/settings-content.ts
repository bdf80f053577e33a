import type { JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Reads } from "../../model/live.ts";
import type { Writes } from "../../model/operation.ts";
import type { FightLimits, IgnoreRule, KeptRuns, LimitsByGuard, Mode, Modes } from "../../model/settings.ts";
import type { KindName } from "../../model/state.ts";
import { type Limits, limitsFrom } from "../../plan/checks/guards/index.ts";
import { withoutSecrets } from "../../model/text/address.ts";
import { elementsIn, originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";
import { declarableFacets, modesFrom } from "../schema/manage-schema.ts";
import type { PathPattern } from "./environments.ts";
import { defaultPruneKinds } from "./settings-fields.ts";

/** The settings that are used as written. */
interface Common {
  readonly version: 1;
  /** The only server that these manifests may be applied to. It is compared, not used as an address. */
  readonly server?: string;
  /** What to do when declared assets or columns do not exist in the catalog. */
  readonly missing?: "error" | "skip";
  /** Whether a conflict is unresolved, or known and accepted; the live value stays in either case. */
  readonly conflicts?: "hold" | "skip";
  /** How the assignments of assets are written: with mutations, or with proposals that fail if others wrote meanwhile. */
  readonly writes?: Writes;
  /** How assets are read. The plan is the same. */
  readonly reads?: Reads;
  /** Who is mentioned on GitHub where something changes that a user or group owns, by URN. */
  readonly github?: { readonly mention?: Readonly<Record<string, string>> };
  /** Who is asked for a review: teams by groups, and users of GitHub by users, each by id or URN. */
  readonly reviewers?: Readonly<Partial<Record<"groups" | "users", Readonly<Record<string, string>>>>>;
  /** Whose review a pull request needs. */
  readonly require?: { readonly review?: "owners" };
  /** Whether what only the policies of the merge base would stop stops the plan. */
  readonly policies?: { readonly strict?: boolean };
  /** How many days ahead a waiver may expire. */
  readonly waivers?: { readonly max_days?: number };
  /** Whether runs are kept in the repository, and how many. */
  readonly runs?: KeptRuns;
  /** When values that others set back are no longer written. */
  readonly fights?: FightLimits;
  /** The address of DataHub's web interface. It is shown, and never asked. */
  readonly links?: string;
  /** The ref of the last applied commit. */
  readonly base?: string;
}

/** The settings of a repository. */
export interface Settings extends Common {
  /** Modes by facet, and under `groups` for memberships that users declare. */
  readonly manage?: Modes;
  /** Values and entities that are left alone, in the order of the file. */
  readonly ignore?: readonly IgnoreRule[];
  /** The limits of the guards, with defaults filled in. */
  readonly limits: Limits;
  /** Where the value of `base` is. */
  readonly baseOrigin?: Origin;
  /** What pruning may delete, with defaults filled in. */
  readonly prune: {
    readonly kinds: ReadonlySet<KindName>;
    /** Whether values that are no longer declared are pruned, too. */
    readonly assignments: boolean;
  };
  /** The manifest files that these settings are about; without patterns all. */
  readonly paths?: readonly PathPattern[];
  /** The settings of each environment, in the order of the file, each with the defaults of the settings for all. */
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

/** The settings in a mapping. The schema must have been checked. */
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
    // Only compared, and shown.
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

/** The settings of an environment: its own override those for all. */
function ofEnvironment(
  document: ParsedDocument,
  around: Settings,
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
    ...around,
    ...effective(document, mapping, content),
    ...(paths && {
      paths: elementsIn(document, paths).map(({ value: pattern, place }) => {
        return { pattern, origin: originIn(document, place.value) };
      }),
    }),
  };
}

/** The limits of two mappings: those of the second win, one by one. */
function mergedLimits(first: LimitsByGuard = {}, second: LimitsByGuard = {}): LimitsByGuard {
  const guards = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...guards].map((guard) => [guard, { ...first[guard], ...second[guard] }]));
}

function baseOriginIn(document: ParsedDocument, mapping: JsonObject): Pick<Settings, "baseOrigin"> {
  const base = placesIn(document, mapping).get("base");
  return base ? { baseOrigin: originIn(document, base.value) } : {};
}
