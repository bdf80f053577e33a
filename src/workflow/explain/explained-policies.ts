/** Evaluates the policies that match one entity in its current state. */

import type { Reader } from "../../datahub/client.ts";
import { dayOf } from "../../manifests/policies/policy-set.ts";
import type { ExplainedPolicy } from "../../model/explanation.ts";
import type { KindName } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { People } from "../../plan/policies/subject.ts";
import { judgeOf, type Verdict } from "../../plan/policies/verdicts.ts";
import { readOwners } from "../../sync/policies/pairs.ts";
import { asSubject, questionFor, readSubjects } from "../../sync/policies/subjects.ts";
import type { ReadOptions } from "../../sync/read/read-batches.ts";
import { declaringIn, type Scope } from "../scope/scope.ts";
import type { CatalogPolicy } from "../../model/catalog-policy.ts";

/**
 * Returns policy verdicts on a live entity, or none if the entity does not exist. Throws `CatalogError` if the server cannot be
 * reached.
 */
export async function explainedPolicies(
  scope: Scope,
  reader: Reader,
  { urn, kind, at }: { readonly urn: Urn; readonly kind: KindName; readonly at: string },
  options: ReadOptions,
): Promise<readonly ExplainedPolicy[]> {
  const { policies, waivers } = scope.desired;
  const own = policies.filter((policy) => policy.kind === kind);
  if (own.length === 0) return [];
  const declaring = declaringIn(scope);
  const question = questionFor(kind, { policies: own, waivers }, declaring);
  const found = await readSubjects(reader, question, [urn], options);
  const live = found.get(urn);
  if (!live || live.isRemoved) return [];
  const subject = asSubject(live, declaring);
  const people: People = question.needs.people ? await readOwners(reader, subject, options) : new Map();
  return own.flatMap((policy) =>
    judgeOf(policy, waivers, dayOf(at))(subject, people).map((verdict) => explained(policy, verdict)),
  );
}

function explained(
  { id, origin }: CatalogPolicy,
  { column, status, reasons, waiver }: Verdict,
): ExplainedPolicy {
  return {
    id,
    source: origin,
    ...(column !== undefined && { column }),
    status,
    reasons,
    ...(waiver && { waiver: { source: waiver.origin, reason: waiver.reason, expires: waiver.expires } }),
  };
}
