import { facets } from "../facets/index.ts";
import { isSetChange } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import type { State } from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { valuesOf } from "./diff/values.ts";

/** The owners of what a plan changes: those that are declared, and those that come and go with it. In order. */
export function touchedOwners({ changes }: Pick<Plan, "changes">, desired: State): readonly Urn[] {
  const holding = facets.filter(({ holdsOwners }) => holdsOwners === true);
  const owners = holding.flatMap(({ name, told }) => {
    const declared = changes.flatMap(({ urn }) => valuesOf(desired.get(urn)?.facets.get(name)));
    const moved = changes
      .filter(isSetChange)
      .filter(({ facet }) => facet === name)
      .flatMap(({ add, remove }) => [...add, ...remove]);
    return [...declared, ...moved].map((member) => told?.subjectOf?.(member) ?? member);
  });
  return [...new Set(owners)].filter(isUrn).toSorted();
}
