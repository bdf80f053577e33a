/**
 * The public library API. Programs use it to open a repository, read its manifests and Git history according to a policy, and
 * create, render and apply plans. See docs/library.md for an example.
 */

export type { Connection } from "./datahub/http/connection.ts";

export { openRepository, type Location, type Repository } from "./workflow/scope/repository.ts";
export { policyOf, type PolicyChoices, type PolicyOverrides } from "./workflow/scope/policy.ts";
export type { Selection } from "./workflow/scope/selection.ts";
export type { BaseRef } from "./workflow/scope/base.ts";
export { readScope, type Scope } from "./workflow/scope/scope.ts";
export { ManifestError, ScopeError, type ScopeFailure } from "./workflow/scope/errors.ts";
export { ConnectionError, type ConnectionFailure, connectionTo } from "./datahub/connection.ts";
export { findConnection } from "./datahub/find-connection.ts";
export { createWriter, type Writer } from "./datahub/client.ts";
export { CatalogError, type CatalogFailure, type FailureDetails } from "./model/catalog-error.ts";
export { type Planned, planScope, type PlanScopeOptions } from "./workflow/plan-scope.ts";
export { explain, type Explained, type ExplainOptions } from "./workflow/explain/explain.ts";
export {
  applyPlan,
  applySavedPlan,
  type ApplySavedOptions,
  type Refusal,
  RefusedPlanError,
  refusalOf,
} from "./workflow/apply-saved.ts";
export { parseSaved, type SavedFault } from "./workflow/saved.ts";
export { awaitedBy, type Difference, type MergeFault, mergePlans, shardOfPlan } from "./workflow/shards.ts";
export { recordApplied, type Recorded } from "./workflow/scope/record-applied.ts";
export {
  type ExplanationView,
  type Format,
  type ProblemsView,
  renderExplanation,
  renderPlan,
  renderProblems,
  renderReport,
  type View,
} from "./workflow/render.ts";
export type { Explanation } from "./model/explanation.ts";
export type { Plan } from "./model/plan.ts";
export type { Problem } from "./model/problem.ts";
export type { Report } from "./model/report.ts";
