/** Reports declared values that require a feature which the server's release does not support. */

import { hasFeatures, hasEquivalentElements, featuresOfLeaf } from "../../facets/features.ts";
import type { Facet, Feature } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { type ServerFields, lacksField } from "../../model/live.ts";
import { leavesOf } from "../../model/place.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { Entity, Leaf, State } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import type { Check } from "./check.ts";

/** Checks that the server supports all features that the selected entities use. */
export const checkReleases: Check = ({ sides, catalog: { live }, part }) =>
  releaseProblems(sides.compared, live).filter(({ args: { urn } }) => isUrn(urn) && part.has(urn));

type NotInRelease = ProblemOf<"not-in-release">;

/** Returns a problem for each manifest position with a value that the server's release does not support. */
export function releaseProblems(declared: State, live: ServerFields): readonly NotInRelease[] {
  const found = new Map<string, NotInRelease>();
  for (const entity of declared.values()) {
    for (const facet of facetsOf(entity.kind).filter(hasFeatures)) {
      for (const [, leaf] of leavesOf(entity.facets.get(facet.name))) {
        for (const problem of lackedBy(entity, facet, leaf, live)) {
          const { file, line, column } = problem.origin ?? {};
          const key = `${file}:${line}:${column} ${problem.args.what}`;
          if (!found.has(key)) found.set(key, problem);
        }
      }
    }
  }
  return [...found.values()];
}

function lackedBy(
  { kind, urn }: Entity,
  facet: Facet,
  leaf: Leaf,
  live: ServerFields,
): readonly NotInRelease[] {
  return needed(facet, kind, leaf)
    .filter(({ field }) => lacksField(live, field))
    .map(({ what, release }) => ({
      code: "not-in-release",
      severity: "error",
      args: { kind, urn, facet: facet.name, what, release },
      ...(leaf.origin && { origin: leaf.origin }),
    }));
}

function needed(facet: Facet, kind: string, leaf: Leaf): readonly Feature[] {
  const alike = facet.shape === "set" ? facet.alike : undefined;
  const isRepeating = alike && leaf.shape === "set" && hasEquivalentElements(leaf, alike);
  return [...featuresOfLeaf(facet, kind, leaf), ...(isRepeating ? [alike] : [])];
}
