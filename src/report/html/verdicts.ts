/** Converts a check's verdicts into page entries. */

import type { CatalogPolicy, Judged, Violation, Waiver } from "../../model/catalog-policy.ts";
import type { CheckResult } from "../../plan/policies/check-result.ts";
import type { View } from "../document/document.ts";
import { pageOf } from "../document/entity-page.ts";
import { plainNameOf, positionText } from "../document/values.ts";
import { printable } from "../printable.ts";
import type { PageEdit, PageEntry, Verdict } from "./page-entry.ts";

/** A verdict of any kind. Only introduced violations have a source, and only waived violations have a waiver. */
type Judgement = Judged & Partial<Violation> & { readonly waiver?: Waiver };

const headings: readonly (readonly [Verdict, heading: string])[] = [
  ["introduced", "Introduced: the manifests cause the violation"],
  ["unknown", "Unknown: some data could not be read"],
  ["existing", "Existing: already violated"],
  ["waived", "Waived"],
  ["fixed", "Fixed: violated now, but not after the apply"],
];

/** Converts all verdicts except plain passes into page entries. Verdicts that fail the check come first. */
export function verdictEntries({ policies, links }: CheckResult, { fileOf }: View): readonly PageEntry[] {
  return headings.flatMap(([verdict, heading]) =>
    policies.flatMap(({ policy, [verdict]: judgements }) =>
      judgements.map((judged: Judgement): PageEntry => ({
        action: verdict,
        class: heading,
        kind: policy.kind,
        title: printable(plainNameOf(judged.urn)),
        urn: printable(judged.urn),
        policy: printable(policy.id),
        page: pageOf(judged.urn, links),
        edits: [detailsOf(judged, policy, fileOf)],
        homes: [],
        teams: [],
      })),
    ),
  );
}

/** Returns a verdict's details, at the location of the waiver, of the change that causes the violation, or else of the policy. */
function detailsOf(
  { column, reasons = [], waiver, source }: Judgement,
  { id, origin }: CatalogPolicy,
  fileOf: View["fileOf"],
): PageEdit {
  const of = `policy ${printable(id)}`;
  const place = column === undefined ? of : `${of}, column ${printable(column)}`;
  const waived = waiver ? [`waived until ${waiver.expires}: ${waiver.reason}`] : [];
  const notes = [...reasons, ...waived].map(printable);
  const at = waiver?.origin ?? source ?? origin;
  return { field: "", place, lines: [], notes, source: positionText(at), file: fileOf?.(at), rules: [] };
}
