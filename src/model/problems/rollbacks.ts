/** Problems with the rollback of a run. */

import { finance, orders, pii } from "./samples.ts";
import { all, code, placeIn } from "./text.ts";
import { problem, type Words } from "./problem.ts";

type Asset = { kind: string; urn: string };

type Held = Asset & {
  facet?: string;
  column?: string | undefined;
  reference?: string;
  /** The reason why the catalog would refuse it. */
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
  /** The number of values, including this one. */
  count?: number;
  /** The commit of the run. */
  commit?: string;
};

export const rollbackProblems = {
  /** Warning of a `rollback`: something stays as it is, because it, or what it refers to, was changed, removed or made again since the run, or because DataHub refuses to have it back. The rest is put back, and the exit code is 6. */
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
      { kind: "Dataset", urn: orders, facet: "tags", because: "refused", reason: "DataHub refuses it" },
    ],
  }),
  /** Warning of a `rollback`: what the run created stays without `--prune`, or because `prune.kinds` in the settings does not name its kind. */
  "rollback-keeps": problem({
    message: ({ urns }: { urns: readonly string[] }) =>
      `the run created ${all(urns)}, which ${urns.length === 1 ? "stays" : "stay"}: --prune deletes what is still as the run left it, of the kinds that \`prune.kinds\` in the settings names`,
    samples: [{ urns: [pii] }, { urns: [pii, finance] }],
  }),
  /** Warning of a `rollback`: the manifests declare other values, and the next apply writes them again. One warning for each rule and each file, with the number of values; `git revert` of the commit ends it, and for manifests `pull`, which writes the value of the catalog into the manifests. */
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
    commit === undefined ? "" : `, or undo its commit with \`git revert ${commit.slice(0, 12)}\``;
  const them = number === 1 ? "it" : "them";
  if (facet === undefined) {
    const others = number === 1 ? "" : ` and ${number - 1} more ${number === 2 ? "entity" : "entities"}`;
    return `the manifests declare ${code(urn)}${others}, and the next apply makes ${them} again: remove ${number === 1 ? "its manifest" : "their manifests"}${revert}`;
  }
  const who = rule === undefined ? "the manifests declare" : `rule ${code(rule)} declares`;
  const one = `${placeIn({ ...args, facet })} of ${code(urn)}`;
  const what = number === 1 ? one : `${number} values, such as ${one},`;
  const pull = number === 1 ? `pull --target ${urn}` : "pull";
  const way =
    rule === undefined
      ? `change them${revert}, or run \`datahub-gitops ${pull}\` after the rollback`
      : `change the rule${revert}`;
  return `${who} ${what} otherwise, and the next apply takes this back: ${way}`;
}

function heldInRollback(args: Held, { nounOf }: Words): string {
  const { kind, urn, facet = "" } = args;
  const entity = `${nounOf(kind)} ${code(urn)}`;
  const value = `${placeIn({ ...args, facet })} of ${entity}`;
  const texts: Readonly<Record<typeof args.because, string>> = {
    gone: `${entity} was deleted after the run, and is not made again`,
    "column-gone": `${value} is not put back: the column is no longer in the schema`,
    "reference-gone": `${value} is not put back: it refers to ${code(args.reference ?? "")}, which does not exist any more`,
    moved: `${value} is not put back: somebody changed it after the run`,
    refused: `${value} is not put back: ${args.reason}`,
    "made-again": `the run deleted ${entity}, and somebody has made it again with other values: it stays as it is`,
    "unknown-values": `${entity} is not made again: the report of the run does not say what it was`,
    "too-large": `${facet === "" ? `${entity} is made again` : `${value} is put back`} without what manifests cannot express of it: it was more than a run keeps`,
    changed: `the run created ${entity}, and somebody has changed it since: it is not deleted`,
    "in-use": `the run created ${entity}, and others refer to it since: it is not deleted`,
  };
  return texts[args.because];
}
