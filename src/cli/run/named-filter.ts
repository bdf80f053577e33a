/** Resolves entity names in the filters of `list` and in the options of `export`. */

import type { Reader } from "../../datahub/client.ts";
import { listedFacets } from "../../facets/index.ts";
import { urnOfId } from "../../model/identifier.ts";
import type { ListFilter } from "../../model/listing.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { nothingIgnored } from "../../plan/base/ignore.ts";
import {
  type EntitySource,
  type NamedEntities,
  namedOnServer,
  serverSource,
} from "../../sync/read/entity-source.ts";
import { type UnknownName, withNames } from "../../sync/list/filter-names.ts";
import { listEntities } from "../../sync/list/list-entities.ts";
import type { CurrentPolicies } from "../../sync/policies/evaluate-policies.ts";
import { UsageError } from "../errors.ts";
import type { NarrowingOptions } from "../options/scope.ts";
import type { Io } from "../io.ts";

/** The sources for looking up names and entities. */
interface NameLookUp extends NamedEntities {
  readonly reader: Reader;
  readonly sourceOf: (filter: ListFilter) => Promise<EntitySource>;
}

/** Returns the sources for names and entities on a server. */
export function serverNames(reader: Reader, { interrupted: signal }: Io): NameLookUp {
  return {
    reader,
    ...namedOnServer(reader, { signal }),
    sourceOf: (filter) => serverSource(reader, filter, { signal }),
  };
}

/** Resolves the names in a filter. Throws `UsageError` if a name has no match or several matches. */
export async function resolveNames(
  requested: ListFilter,
  given: CurrentPolicies,
  lookUp: NameLookUp,
  { interrupted: signal }: Io,
): Promise<ListFilter> {
  const source = {
    ...lookUp,
    declared: given.declaring.state,
    listed: async function* (only: Partial<ListFilter>) {
      const any = { kinds: requested.kinds, conditions: [], values: new Map(), missing: [], ...only };
      yield* listEntities(await lookUp.sourceOf(any), { ...given, policies: [] }, any, { signal });
    },
  };
  const { filter, unknown } = await withNames(requested, source, { signal });
  if (unknown.length > 0) throw new UsageError(unknown.map(unknownText).join("\n"));
  return filter;
}

/**
 * Resolves the names of platforms and domains in options, using the server and the declared state. Throws `UsageError` in the
 * same cases as `resolveNames`.
 */
export async function namedNarrowing(
  { platform, domain }: NarrowingOptions,
  { reader, state }: { readonly reader: Reader; readonly state: State },
  io: Io,
): Promise<{ readonly platforms?: readonly string[]; readonly domains?: readonly Urn[] }> {
  if (!platform && !domain) return {};
  const placement = listedFacets.find(({ isPlacement }) => isPlacement);
  const [of] = placement?.listing.options ?? [];
  const origin = { file: "command line", line: 1, column: 1 };
  const requested: ListFilter = {
    conditions: platform ? [{ key: "platform", patterns: platform, origin }] : [],
    values: new Map(domain && placement && of ? [[placement.name, new Map([[of.name, domain]])]] : []),
    missing: [],
  };
  const declaring = { state, rules: [], exempt: new Map(), ignored: nothingIgnored };
  const given = { policies: [], waivers: [], day: "", declaring };
  const { conditions, values } = await resolveNames(requested, given, serverNames(reader, io), io);
  const domains = values
    .get(placement?.name ?? "")
    ?.get(of?.name ?? "")
    ?.flatMap((text) => {
      const result = urnOfId(of?.entityTypes[0] ?? "", text);
      return "urn" in result ? [result.urn] : [];
    });
  return {
    ...(platform && { platforms: conditions.flatMap(({ patterns }) => patterns) }),
    ...(domains && { domains }),
  };
}

function unknownText({ option, text, nouns, suggestion, several }: UnknownName): string {
  const noun = nouns.join(" or ");
  if (several)
    return `--${option} ${text}: more than one ${noun} has this name; use one of ${several.join(", ")}`;
  const hint = suggestion === undefined ? "" : `; did you mean ${suggestion}?`;
  return `--${option} ${text}: no ${noun} in the catalog or the manifests has this id or name${hint}`;
}
