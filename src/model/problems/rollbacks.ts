/** Defines the problems that can occur in the rollback of a run. */

import { finance, orders, pii } from "./samples.ts";
import { all, code, placeIn } from "./text.ts";
import { problem, type Words } from "./problem.ts";

type Asset = { kind: string; urn: string };

type Held = Asset & {
  facet?: string;
  column?: string | undefined;
  reference?: string;
  /** The reason why DataHub would refuse to restore the value. */
  reason?: string;
  because:
    | "gone"
    | "moved"
    | "refused"
    | "column-gone"
    | "reference-gone"
    | "made-again"
    | "unknown-values"
    | "too-large"
    | "changed"
    | "in-use";
};

type Overruled = Asset & {
  facet?: string | undefined;
  column?: string | undefined;
  rule?: string;
  /** The number of affected values, including this one. */
  count?: number;
  /** The commit that the run applied. */
  commit?: string;
};

export const rollbackProblems = {
  /**
   * Warning from `rollback`: a value or an entity is not restored, because someone has changed or removed it (or an entity that
   * it refers to) since the run, or because DataHub refuses to restore it. Everything else is restored, and the exit code is 6.
   */
  "rollback-held": problem({
    message: heldInRollback,
    trait: "moved",
    samples: [
      { kind: "Dataset", urn: orders, because: "gone" },
      { kind: "Dataset", urn: orders, facet: "columns.tags", column: "email", because: "column-gone" },
      { kind: "Dataset", urn: orders, facet: "tags", reference: pii, because: "reference-gone" },
      { kind: "Tag", urn: pii, because: "made-again" },
      { kind: "Tag", urn: pii, because: "unknown-values" },
      { kind: "Tag", urn: pii, because: "too-large" },
      { kind: "Tag", urn: pii, because: "changed" },
      { kind: "Tag", urn: pii, because: "in-use" },
      { kind: "Dataset", urn: orders, facet: "tags", because: "moved" },
      {
        kind: "StructuredProperty",
        urn: "urn:li:structuredProperty:p",
        facet: "value_type",
        because: "refused",
        reason: "DataHub refuses this change, because `value_type` cannot change",
      },
    ],
  }),
  /**
   * Warning from `rollback`: entities that the run created are kept. `--prune` deletes those that have not changed since the run,
   * if `prune.kinds` in the settings contains their kind.
   */
  "rollback-keeps": problem({
    message: ({ urns }: { urns: readonly string[] }) =>
      `the run created ${all(urns)}, which ${urns.length === 1 ? "is" : "are"} kept: to delete ${urns.length === 1 ? "it" : "them"}, add ${urns.length === 1 ? "its kind" : "their kinds"} to \`prune.kinds\` in the settings and use \`--prune\`; an entity that has changed since the run is always kept`,
    samples: [{ urns: [pii] }, { urns: [pii, finance] }],
  }),
  /**
   * Warning from `rollback`: the manifests declare different values, so the next apply will write them again. There is one
   * warning for each rule and each file, with the number of values. Revert the commit with `git revert`, or write the catalog's
   * values into the manifests with `pull`.
   */
  "rollback-overruled": problem({
    message: overruledText,
    samples: [
      { kind: "Tag", urn: pii },
      { kind: "Dataset", urn: orders, facet: "tags" },
      { kind: "Dataset", urn: orders, facet: "columns.tags", column: "email" },
      { kind: "Tag", urn: pii, count: 2, commit: "0123456789abcdef" },
      { kind: "Dataset", urn: orders, facet: "tags", count: 3, commit: "0123456789abcdef" },
      { kind: "Dataset", urn: orders, facet: "tags", rule: "rb", count: 1195, commit: "0123456789abcdef" },
    ],
  }),
};

function overruledText(args: Overruled): string {
  const { urn, facet, rule, count: number = 1, commit } = args;
  const revert =
    commit === undefined ? "" : `, or revert the commit with \`git revert ${commit.slice(0, 12)}\``;
  const them = number === 1 ? "it" : "them";
  if (facet === undefined) {
    const others = number === 1 ? "" : ` and ${number - 1} more ${number === 2 ? "entity" : "entities"}`;
    return `the manifests declare ${code(urn)}${others}, so the next apply will create ${them} again: remove ${number === 1 ? "its manifest" : "their manifests"}${revert}`;
  }
  const who = rule === undefined ? "the manifests declare" : `rule ${code(rule)} declares`;
  const one = `${placeIn({ ...args, facet })} of ${code(urn)}`;
  const what =
    number === 1 ? `a different value for ${one}` : `different values in ${number} places, including ${one}`;
  const pull = number === 1 ? `pull --target ${urn}` : "pull";
  const way =
    rule === undefined
      ? `change the manifests${revert}, or run \`datahub-gitops ${pull}\` after the rollback`
      : `change the rule${revert}`;
  return `${who} ${what}, so the next apply will write ${them} again: ${way}`;
}

function heldInRollback(args: Held, { nounOf }: Words): string {
  const { kind, urn, facet = "" } = args;
  const entity = `${nounOf(kind)} ${code(urn)}`;
  const value = `${placeIn({ ...args, facet })} of ${entity}`;
  const texts: Readonly<Record<typeof args.because, string>> = {
    gone: `${entity} was deleted after the run, and is not recreated`,
    "column-gone": `${value} is not restored, because the column is no longer in the schema`,
    "reference-gone": `${value} is not restored, because it refers to ${code(args.reference ?? "")}, which no longer exists`,
    moved: `${value} is not restored, because someone changed it after the run`,
    refused: `${value} is not restored: ${args.reason}`,
    "made-again": `the run deleted ${entity}, but someone has recreated it with different values, so it is left unchanged`,
    "unknown-values": `${entity} is not recreated, because the run's report does not contain its values`,
    "too-large": `${facet === "" ? `${entity} is recreated` : `${value} is restored`}, but only with the values that manifests can express, because its other values were too large to store in the run's report`,
    changed: `the run created ${entity}, but someone has changed it since, so it is not deleted`,
    "in-use": `the run created ${entity}, but other entities now refer to it, so it is not deleted`,
  };
  return texts[args.because];
}
