/** Converts a check's verdicts into page entries. */

import type { Judged } from "../../model/catalog-policy.ts";
import type { Origin } from "../../model/origin.ts";
import type { CheckResult } from "../../plan/policies/check-result.ts";
import type { PolicyResult } from "../../plan/policies/judge-policies.ts";
import type { View } from "../document/document.ts";
import { pageOf } from "../document/entity-page.ts";
import { plainNameOf, positionText } from "../document/values.ts";
import { printable } from "../printable.ts";
import type { PageEntry, Verdict } from "./page-entry.ts";

interface Judgement {
  readonly judged: Judged;
  readonly reasons: readonly string[];
  /** The location of the change or waiver that the verdict concerns, or the location of the policy if there is neither. */
  readonly origin: Origin;
}

const verdicts: readonly {
  readonly verdict: Verdict;
  readonly head: string;
  readonly of: (result: PolicyResult) => readonly Judgement[];
}[] = [
  {
    verdict: "introduced",
    head: "Introduced: the manifests cause the violation",
    of: ({ policy, introduced }) =>
      introduced.map((judged) => ({
        judged,
        reasons: judged.reasons,
        origin: judged.source ?? policy.origin,
      })),
  },
  {
    verdict: "unknown",
    head: "Unknown: some data could not be read",
    of: ({ policy, unknown }) =>
      unknown.map((judged) => ({ judged, reasons: judged.reasons, origin: policy.origin })),
  },
  {
    verdict: "existing",
    head: "Existing: already violated",
    of: ({ policy, existing }) =>
      existing.map((judged) => ({ judged, reasons: judged.reasons, origin: policy.origin })),
  },
  {
    verdict: "waived",
    head: "Waived",
    of: ({ waived }) =>
      waived.map(({ reasons, waiver, ...judged }) => ({
        judged,
        reasons: [...reasons, `waived until ${waiver.expires}: ${waiver.reason}`],
        origin: waiver.origin,
      })),
  },
  {
    verdict: "fixed",
    head: "Fixed: violated now, but not after the apply",
    of: ({ policy, fixed }) => fixed.map((judged) => ({ judged, reasons: [], origin: policy.origin })),
  },
];

/** Converts all verdicts except plain passes into page entries. Verdicts that fail the check come first. */
export function verdictEntries({ policies, links }: CheckResult, { fileOf }: View): readonly PageEntry[] {
  return verdicts.flatMap(({ verdict, head, of }) =>
    policies.flatMap((result) =>
      of(result).map(({ judged: { urn, column }, reasons, origin }): PageEntry => {
        const policy = printable(result.policy.id);
        const place =
          column === undefined ? `policy ${policy}` : `policy ${policy}, column ${printable(column)}`;
        const [notes, source, file] = [reasons.map(printable), positionText(origin), fileOf?.(origin)];
        return {
          action: verdict,
          class: head,
          kind: result.policy.kind,
          title: printable(plainNameOf(urn)),
          urn: printable(urn),
          policy,
          page: pageOf(urn, links),
          edits: [{ field: "", place, lines: [], notes, source, file, rules: [] }],
          homes: [],
          teams: [],
        };
      }),
    ),
  );
}
