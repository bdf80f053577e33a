import type { Change, DriftClass } from "../../model/change.ts";
import type { CheckResult } from "../../plan/judge/check-result.ts";
import type { Judged, PolicyCount } from "../../model/catalog-policy.ts";
import type { Origin } from "../../model/origin.ts";
import type { Finding, Plan, RuleCount, SettingChange, Unmanaged } from "../../model/plan.ts";
import type { PlanProblem, ProblemArgs } from "../../model/problem.ts";
import type { Outcome, Report, Run } from "../../model/report.ts";

/** What a command found or did. */
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

/** A result for people, which every format prints. Sentences have values in back quotes, rows have data. What does not apply is empty. */
export interface Document {
  /** The line that sums it up: the last one of a text, the heading elsewhere. */
  readonly verdict: string;
  /** What was planned, when, and for which server; absent where there is no plan. */
  readonly about?: About;
  /** What a check judged. */
  readonly checkOf?: CheckResult;
  /** The shard that a plan is about. */
  readonly shard: string;
  /** Whether its changes are seen from the manifests: a value that only the catalog has is added. */
  readonly isDrift: boolean;
  readonly failure?: Failure;
  /** Of a report, the document of its plan, and how the apply ran. */
  readonly plan?: Document;
  readonly run?: Run;
  /** Errors and warnings about an apply that are about none of its operations. */
  readonly remarks: readonly Remark[];
  readonly outcomes: readonly OutcomeRow[];
  readonly settings: readonly SettingChange[];
  /** The policies and waivers that changed, and what they stopped before. */
  readonly policyChanges: readonly SettingChange[];
  readonly lifted: readonly PolicyRow[];
  readonly problems: readonly ProblemRow[];
  /** What the problems mean for an apply. */
  readonly refusal: string;
  readonly findings: readonly FindingRow[];
  /** Whether it is for a pull request, which has no flags. */
  readonly isReview?: true;
  readonly changes: readonly ChangeGroup[];
  /** Which removed values mode `merge` would keep. */
  readonly removals: string;
  /** The violations of policies that the plan introduces, and the verdicts in one sentence, empty without policies. */
  readonly policies: readonly PolicyRow[];
  readonly policyTotals: string;
  /** Verdicts that are unknown, with their reasons. */
  readonly unknownVerdicts: readonly PolicyRow[];
  /** What explains each policy of which there is a violation or an unknown verdict above. */
  readonly policyHelp: readonly PolicyHelp[];
  /** The numbers of each policy that was judged. */
  readonly judged: readonly PolicyCount[];
  /** Of a check, each policy with its numbers and the verdicts that are no news. */
  readonly checked: readonly CheckedPolicy[];
  readonly rules: readonly RuleRow[];
  readonly unmanaged: readonly Unmanaged[];
  readonly unmanagedHead: string;
  /** What else there is to know of the changes: what stays in the catalog, what is unknown without a base. */
  readonly notes: readonly string[];
  /** What is complete where a format leaves something out. */
  readonly complete: string;
}

/** The facts of a plan, without what it changes. */
export type About = Pick<
  Plan,
  "target" | "scope" | "git" | "tool" | "createdAt" | "digest" | "summary" | "names" | "links"
>;

/** An error or a warning that is about no operation. */
export interface Remark {
  readonly severity: "error" | "warning";
  readonly code: "verify" | "references left";
  readonly text: string;
}

/** A problem of manifests, settings or the catalog. */
export interface ProblemRow {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly args: ProblemArgs;
  readonly text: string;
  /** Its place; a file alone where `isOfFile`. */
  readonly origin?: Origin;
  readonly isOfFile: boolean;
  /** Another place that belongs to it. */
  readonly related?: Origin;
  /** The line at its place, where it helps to see it. */
  readonly source: () => string | undefined;
}

/** What a check says of a policy: a sentence, and the verdicts that are listed below it. */
export interface CheckedPolicy {
  readonly policy: string;
  readonly text: string;
  readonly origin: Origin;
  readonly lines: readonly string[];
  readonly waived: readonly WaivedRow[];
}

/** A violation that does not count, and until when and why. */
interface WaivedRow {
  readonly text: string;
  readonly reason: string;
}

/** A violation of a policy, with the place of the change that causes it. */
export interface PolicyRow {
  readonly severity: "error" | "warning";
  /** Its id. */
  readonly policy: string;
  readonly judged: Judged;
  readonly text: string;
  /** What explains it, where it stands alone: a line for the policy, and those of a waiver. */
  readonly help: readonly string[];
  readonly origin?: Origin;
}

/** What a policy is for, where it stands and whose it is, and a waiver of its violations to paste. */
export interface PolicyHelp {
  readonly policy: string;
  readonly text: string;
  readonly origin: Origin;
  /** Lines of YAML; none where nothing violates it. */
  readonly waiver: readonly string[];
}

/** What a guard found, or what was skipped, and how to allow it. */
export interface FindingRow extends Finding {
  readonly text: string;
}

/** Operations that were not applied and ended in the same way, for the same reason. */
export interface OutcomeRow {
  readonly status: Exclude<Outcome["status"], "applied">;
  /** What was to be done, why it was not, and what was expected and found instead: a line each. */
  readonly lines: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** Changes that are shown together: all of a plan, or those of one class of drift. */
interface ChangeGroup {
  readonly class?: DriftClass;
  readonly changes: readonly Change[];
}

/** What a rule does in a plan, as a sentence whose subject is the rule. */
interface RuleRow extends RuleCount {
  readonly text: string;
}

/** How a result is shown, in any format. */
export interface View {
  /** Whether problems refuse the plan, as for an apply; for an upsert they do not. */
  readonly isRefusable?: boolean | undefined;
  /** Whether it is a comment on a pull request, which has no flag for a guard. */
  readonly isReview?: boolean | undefined;
  /** What is shown of the values that are not managed. As text, with `counts` many of them are only counted. */
  readonly unmanaged?: "counts" | "all" | "none" | undefined;
  /** Whether changes that many entities share are shown for each of them. */
  readonly all?: boolean | undefined;
  /** Whether the text of a report begins with its plan. */
  readonly withPlan?: boolean | undefined;
  /** Whether text has the colors of a terminal. */
  readonly color?: boolean | undefined;
  /** The page of a place in the repository, where there is one. */
  readonly fileOf?: ((origin: Origin) => string | undefined) | undefined;
  /** The line at a place in a file, where it can be read. */
  readonly lineOf: (origin: Origin) => string | undefined;
}
