import { kindOfType } from "../../kinds/index.ts";
import { compareText } from "../../model/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Problem, ProblemOf } from "../../model/problem.ts";
import { hasTrait } from "../../model/problem-traits.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { closest } from "../../text/suggestion.ts";
import { type EntitiesByName, namedAs } from "./named.ts";

/** Who misses more has another mistake than a slip of the fingers. */
const mostSuggestions = 20;

/** What is declared, or referred to, and absent. Only so many are looked for in the catalog. */
export interface Absent {
  readonly assets: readonly Urn[];
  readonly references: readonly Urn[];
}

/** What the catalog has in their place: by asset, those whose names are perhaps similar; by reference, those that are called so. */
export interface Substitutes {
  readonly alike: ReadonlyMap<string, readonly Urn[]>;
  readonly named: EntitiesByName;
}

/** The absent entities that are worth a look-up. */
export function absentIn(problems: readonly Problem[]): Absent {
  const assets = problems.filter((problem) => hasTrait(problem, "absent-asset")).map(urnOf);
  const references = problems.filter((problem) => hasTrait(problem, "absent-reference")).map(urnOf);
  return {
    assets: assets.filter((urn) => kindAt(urn)?.alike).slice(0, mostSuggestions),
    references: references.filter((urn) => kindAt(urn)?.displayName).slice(0, mostSuggestions),
  };
}

function urnOf({ args }: ProblemOf<"asset-missing" | "reference-missing">): Urn {
  return args.urn as Urn;
}

function kindAt(urn: Urn): Kind | undefined {
  return kindOfType(entityTypeOf(urn));
}

/** A comparison whose problems suggest what the catalog has in place of what is absent. */
export function withSuggestions<C extends { readonly problems: readonly Problem[] }>(
  comparison: C,
  substitutes: Substitutes,
): C {
  return { ...comparison, problems: comparison.problems.map((problem) => suggesting(problem, substitutes)) };
}

function suggesting(problem: Problem, { alike, named }: Substitutes): Problem {
  if (hasTrait(problem, "absent-reference")) {
    return { ...problem, args: { ...problem.args, ...namedAs(problem.args.urn as Urn, named) } };
  }
  if (!hasTrait(problem, "absent-asset")) return problem;
  const suggestion = nearest(problem.args.urn as Urn, alike.get(problem.args.urn) ?? []);
  return suggestion === undefined ? problem : { ...problem, args: { ...problem.args, suggestion } };
}

/** The entity with the nearest name; of several with that name the one whose URN has most in common with that of the absent one. */
function nearest(absent: Urn, found: readonly Urn[]): Urn | undefined {
  const alike = kindAt(absent)?.alike;
  if (!alike) return undefined;
  const nameOf = (urn: Urn): string => alike.nameOf(urn);
  const others = found.filter((urn) => urn !== absent).toSorted(compareText);
  const name = closest(nameOf(absent), others.map(nameOf));
  const those = others.filter((urn) => nameOf(urn) === name);
  return those.find((urn) => urn === closest(absent, those)) ?? those[0];
}
