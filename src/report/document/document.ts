/** Defines the document, with all the content that formats print, and the view, with the options for printing it. */

import type { Change, DriftClass } from "../../model/change.ts";
import type { CheckResult } from "../../plan/policies/check-result.ts";
import type { Judged, PolicyCount } from "../../model/catalog-policy.ts";
import type { Origin } from "../../model/origin.ts";
import type { Finding, Plan, Unmanaged } from "../../model/plan.ts";
import type { RuleCount } from "../../model/rule-count.ts";
import type { PlanProblem, ProblemArgs } from "../../model/problem.ts";
import type { Outcome, Report, Run } from "../../model/report.ts";
import type { Row } from "../page.ts";

/** A command's result. */
export type Result =
  | { readonly plan: Plan }
  | { readonly drift: Plan }
  | { readonly report: Report }
  | { readonly check: CheckResult }
  | { readonly problems: readonly PlanProblem[]; readonly sentence?: string | undefined }
  | { readonly failure: Failure };

/** Why a command has no result. `code` is for programs, `message` is a sentence for people. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A result prepared for people to read. Sentences have values in back quotes. Fields that do not apply are empty. */
export interface Document {
  /** The line that sums up the result: the last line in a text, the heading in other formats. */
  readonly verdict: string;
  /** The plan, for its facts. Absent if the result has no plan. */
  readonly about?: Plan;
  /** The check's result. */
  readonly checkOf?: CheckResult;
  /** The sentence about the plan's shard. */
  readonly shard: string;
  /** Whether the document shows drift. In drift, a value that only the catalog has counts as added. */
  readonly isDrift: boolean;
  readonly failure?: Failure;
  /** For a report: the plan's document, and the facts about the apply. */
  readonly plan?: Document;
  readonly run?: Run | undefined;
  /** Errors and warnings about the apply itself rather than one of its operations. */
  readonly remarks: readonly Remark[];
  readonly outcomes: readonly OutcomeRow[];
  readonly settings: readonly Row[];
  /** The changed policies and waivers, and the violations that they stopped before the change. */
  readonly policyChanges: readonly Row[];
  readonly lifted: readonly PolicyRow[];
  readonly problems: readonly ProblemRow[];
  /** How the problems affect an apply. */
  readonly refusal: string;
  readonly findings: readonly FindingRow[];
  /** Whether the document is for a pull request, where readers cannot pass flags. */
  readonly isReview?: boolean | undefined;
  readonly changes: readonly ChangeGroup[];
  /** The sentence about removed values that the mode `merge` would keep. */
  readonly removals: string;
  /** The policy violations that the plan introduces, and a sentence that sums up the verdicts. Empty without policies. */
  readonly policies: readonly PolicyRow[];
  readonly policyTotals: string;
  /** The unknown verdicts, with their reasons. */
  readonly unknownVerdicts: readonly PolicyRow[];
  /** Explanations for the policies that have a violation or an unknown verdict. */
  readonly policyHelp: readonly Row[];
  /** The counts for each evaluated policy. */
  readonly judged: readonly PolicyCount[];
  /** For a check: each policy with its counts, and the verdicts other than new violations. */
  readonly checked: readonly CheckedPolicy[];
  /** The rules that match something, each with its effect. */
  readonly rules: readonly RuleRow[];
  readonly unmanaged: readonly Unmanaged[];
  readonly unmanagedHead: string;
  /** Sentences about the changes: definitions kept in the catalog, facts that are unknown without a base. */
  readonly notes: readonly Row[];
  /** The sentence that names the complete output, for formats that shorten theirs. */
  readonly complete: string;
}

/** An empty document. */
export const emptyDocument: Document = {
  verdict: "",
  shard: "",
  isDrift: false,
  remarks: [],
  outcomes: [],
  settings: [],
  policyChanges: [],
  lifted: [],
  problems: [],
  refusal: "",
  findings: [],
  changes: [],
  removals: "",
  policies: [],
  policyTotals: "",
  unknownVerdicts: [],
  policyHelp: [],
  judged: [],
  checked: [],
  rules: [],
  unmanaged: [],
  unmanagedHead: "",
  notes: [],
  complete: "",
};

/** An error or a warning about the apply itself. */
export interface Remark extends Row {
  readonly severity: "error" | "warning";
  readonly title: "verify" | "references left";
}

/** A problem in manifests, settings or the catalog. */
export interface ProblemRow extends Row {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly args: ProblemArgs;
  readonly isOfFile: boolean;
  readonly source: () => string | undefined;
}

/** A policy in a check: a sentence, and the verdicts listed below it. */
export interface CheckedPolicy extends Row {
  readonly policy: string;
  readonly waived: readonly WaivedRow[];
}

/** A waived violation, with its expiry and reason. */
interface WaivedRow {
  readonly text: string;
  readonly reason: string;
}

/** A policy violation, at the location of the change that causes it. */
export interface PolicyRow extends Row {
  readonly severity: "error" | "warning";
  /** The policy's id. */
  readonly policy: string;
  readonly judged: Judged;
  /** The explanation for formats without `policyHelp`: a line about the policy, and a waiver's lines. */
  readonly help: readonly string[];
}

/** A finding, including how to allow it. */
export type FindingRow = Finding & Row;

/** Operations that were not applied for the same reason. The reason, the expected and the found values are shown below. */
export interface OutcomeRow extends Row {
  readonly status: Exclude<Outcome["status"], "applied">;
  readonly outcomes: readonly Outcome[];
}

/** Changes that are shown together: all changes in a plan, or one class of drift. */
interface ChangeGroup {
  readonly class?: DriftClass;
  readonly changes: readonly Change[];
}

/** A rule's effect in a plan. */
type RuleRow = RuleCount & Row;

/** The print options for all formats. */
export interface View {
  /** Whether problems refuse the plan. They refuse an apply, but not an upsert. */
  readonly isRefusable?: boolean | undefined;
  /** Whether the result is for a pull request, where readers cannot pass flags. */
  readonly isReview?: boolean | undefined;
  /** Whether to show unmanaged values. With `counts`, a text only counts them if there are many. */
  readonly unmanaged?: "counts" | "all" | "none" | undefined;
  /** Whether to show a change that many entities share for each entity separately. */
  readonly all?: boolean | undefined;
  /** Whether a report's text begins with its plan. */
  readonly withPlan?: boolean | undefined;
  /** Whether to print text in terminal colors. */
  readonly color?: boolean | undefined;
  /** Returns the web page for a location in the repository, if it has one. */
  readonly fileOf?: ((origin: Origin) => string | undefined) | undefined;
  /** Returns the source line at a location, if it can be read. */
  readonly lineOf: (origin: Origin) => string | undefined;
}
