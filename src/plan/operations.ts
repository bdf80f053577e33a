import { facetNamed } from "../facets/index.ts";
import type { Operation } from "../model/operation.ts";
import type { Plan } from "../model/plan.ts";

/** The writes that carry out a plan, in its order; those of one entity stand together. */
export function operationsOf(plan: Plan): readonly Operation[] {
  return plan.changes
    .flatMap((change) =>
      facetNamed(change.facet)
        .requests(change)
        .map((request) => ({ request, writes: change.urn, changes: [change] })),
    )
    .map((operation, index) => ({ id: `${index + 1}`, ...operation }));
}
