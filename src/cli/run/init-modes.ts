/** Explains the effect of each `manage` mode on the catalog and recommends a mode, for `init`. */

import { planScope } from "../../workflow/plan-scope.ts";
import { newBase } from "../../manifests/settings/settings-text.ts";
import { declarableFacets } from "../../manifests/schema/manage-schema.ts";
import { isFacetChange } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { type Mode, modes } from "../../model/settings.ts";
import { pendingIn } from "../../model/held-back.ts";
import { countValues } from "../../plan/diff/summary.ts";
import { count } from "../../report/count.ts";
import { policyOf } from "../../workflow/scope/policy.ts";
import type { Repository } from "../../workflow/scope/repository.ts";
import { readScope } from "../../workflow/scope/scope.ts";
import type { Io } from "../io.ts";
import type { Target } from "../options/target.ts";
import type { Sample } from "./init-sample.ts";
import { createdAt } from "../created-at.ts";

/** An explanation of the modes, and the recommended mode. */
export interface ModesAdvice {
  /** The lines of the explanation. */
  readonly lines: readonly string[];
  readonly recommended: Mode;
}

/** The effect of each mode on edits in the UI, for a directory that does not have manifests yet. */
const afterExport: Readonly<Record<Mode, string>> = {
  authoritative:
    "the next apply removes values that people add to a declared field in the UI; plans show the removals",
  merge:
    "values that people add in the UI are kept, and plans list them; apply removes only previously declared values",
  additive: "values that people add in the UI are kept; apply never removes a value",
};

/** Returns advice for a catalog directory without manifests. */
export function adviceBefore(sample: Sample): ModesAdvice {
  return advice((mode) => afterExport[mode], sample, false);
}

/** Returns advice for existing manifests, based on a plan in each mode. Throws `ManifestError` and `CatalogError`. */
export async function adviceFor(
  repository: Repository,
  sample: Sample,
  { target, io }: { readonly target: Target; readonly io: Io },
): Promise<ModesAdvice> {
  const planned = async (mode: Mode): Promise<Plan> => {
    const manage = Object.fromEntries(declarableFacets.map((facet) => [facet, mode]));
    const settings = { ...repository.settings, manage, base: newBase };
    const request = { repository: { ...repository, settings }, policy: policyOf(settings) };
    const scope = await readScope({ ...request, signal: io.interrupted });
    const options = { createdAt: createdAt(io), target: target.name, signal: io.interrupted };
    return (await planScope(scope, target.connection, options)).plan;
  };
  const plans = new Map<Mode, Plan>();
  for (const mode of modes) plans.set(mode, await planned(mode));
  const removed = (mode: Mode): number => plans.get(mode)?.summary.removals ?? 0;
  return advice((mode) => effectOf(plans.get(mode)), sample, removed("authoritative") > removed("merge"));
}

function advice(effectOfMode: (mode: Mode) => string, sample: Sample, loses: boolean): ModesAdvice {
  const isShared = loses || sample.byPeople > 0 || sample.unknown > 0;
  const recommended = isShared ? "merge" : "authoritative";
  const width = Math.max(...modes.map(({ length }) => length));
  return {
    recommended,
    lines: [
      "The mode decides what apply does with values in the catalog that the manifests do not declare:",
      ...modes.toReversed().map((mode) => `  ${mode.padEnd(width)}  ${effectOfMode(mode)}`),
      `Recommended: ${recommended}. ${reasonFor(sample, loses)}`,
    ],
  };
}

/** Describes the effect of a mode, such as `would remove 44 values (owners: 3, tags: 41)`. */
function effectOf(plan: Plan | undefined): string {
  if (!plan) return "";
  const { removals, conflicts } = plan.summary;
  const conflicting = conflicts === 0 ? "" : `, and leave ${count(conflicts, "conflict")} unresolved`;
  if (removals === 0) return `would remove nothing${conflicting}`;
  const facets = [...removalsByFacet(plan)].map(([facet, number]) => `${facet}: ${number}`);
  return `would remove ${count(removals, "value")} (${facets.join(", ")})${conflicting}`;
}

function removalsByFacet({ changes }: Plan): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const change of pendingIn(changes).filter(isFacetChange)) {
    const { removals } = countValues(change);
    if (removals > 0) numbers.set(change.facet, (numbers.get(change.facet) ?? 0) + removals);
  }
  return numbers;
}

function reasonFor({ assets, assigned, byPeople, unknown }: Sample, loses: boolean): string {
  const read = `Of ${count(assets, "asset")} that ${assets === 1 ? "was" : "were"} read`;
  if (assets === 0) return "The catalog has no assets yet.";
  const have = `${assigned} ${assigned === 1 ? "has" : "have"} values that can be managed`;
  if (byPeople > 0) return `${read}, ${have}; a person set a value on ${byPeople} of them.`;
  if (unknown > 0) return `${read}, ${have}; the catalog does not record who set these values.`;
  if (loses) return "The catalog has values that the manifests do not declare.";
  return `${read}, ${have}; according to the catalog, none of these values was set by a person.`;
}
