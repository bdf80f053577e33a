/** Defines the problems with deletions by `--prune`. */

import { finance, orders, pii } from "./samples.ts";
import { all, code, placeIn } from "./text.ts";
import { problem } from "./problem.ts";

export const deletionProblems = {
  /** A manifest refers to an entity that `--prune` would delete. Each reference is reported. */
  "deleted-reference": problem({
    message: ({ urn }: { urn: string }) =>
      `this manifest refers to ${code(urn)}, which this plan deletes because it is no longer declared: declare it again, or remove the reference`,
    samples: [{ urn: pii }],
  }),
  /**
   * A live value still uses an entity that `--prune` would delete. The value is kept because of a conflict or the mode of its
   * facet.
   */
  "deleted-value": problem({
    message: (args: { urn: string; on: string; facet: string; column?: string }) =>
      `this plan deletes ${code(args.urn)}, which is still used in ${placeIn(args)} of ${code(args.on)}: declare the entity again, or remove this value first`,
    samples: [
      { urn: pii, on: orders, facet: "tags" },
      { urn: pii, on: orders, facet: "columns.tags", column: "email" },
    ],
  }),
  /**
   * `--prune` would delete an entity but keep entities below it. DataHub refuses such a deletion. Entities that the same plan
   * deletes or moves do not count.
   */
  "deleted-parent": problem({
    message: ({ urn, below }: { urn: string; below: readonly string[] }) =>
      `${code(urn)} cannot be deleted while ${all(below)} ${below.length === 1 ? "is" : "are"} below it: delete or move the child ${below.length === 1 ? "entity" : "entities"} in the same plan or earlier, or declare ${code(urn)} again`,
    samples: [
      { urn: "urn:li:domain:corporate", below: ["urn:li:domain:finance"] },
      { urn: "urn:li:domain:corporate", below: ["urn:li:domain:finance", "urn:li:domain:sales"] },
    ],
  }),
  /** An ignore rule keeps all assignments of an entity, but `--prune` would delete the entity. */
  "deletion-ignored": problem({
    message: ({ urn, reason }: { urn: string; reason: string }) =>
      `this ignore rule (${reason}) keeps ${code(urn)} wherever it is assigned, but this plan deletes it: narrow the rule, declare the entity again, or ignore the entity itself by its \`urn\``,
    samples: [{ urn: pii, reason: "owned by dbt" }],
  }),
  /** Warning: `--prune` deletes nothing while some entities cannot be read, because they may refer to an entity to be deleted. */
  "deletion-held": problem({
    message: ({ urns }: { urns: readonly string[] }) =>
      `${all(urns)} will not be deleted yet, because entities that could not be read may still refer to ${urns.length === 1 ? "it" : "them"}`,
    trait: "held-deletion",
    samples: [{ urns: [pii] }, { urns: [pii, finance] }],
  }),
};
