/** The document, which has everything that formats print of a result, and the view, which says how to print it. */

import type { Change, DriftClass } from "../../model/change.ts";
import type { CheckResult } from "../../plan/policies/check-result.ts";
import type { Judged, PolicyCount } from "../../model/catalog-policy.ts";
import type { Origin } from "../../model/origin.ts";
import type { Finding, Plan, Unmanaged } from "../../model/plan.ts";
import type { RuleCount } from "../../model/rule-count.ts";
import type { PlanProblem, ProblemArgs } from "../../model/problem.ts";
import type { Outcome, Report, Run } from "../../model/report.ts";
import type { Row } from "../page.ts";

/** The result of a command. */
export type Result =
  | { readonly plan: Plan }
  | { readonly drift: Plan }
  | { readonly report: Report }
  | { readonly check: CheckResult }
  | { readonly problems: readonly PlanProblem[]; readonly sentence?: string | undefined }
  | { readonly failure: Failure };

/** The reason why a command has no result. `code` is for programs, `message` is a sentence for people. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A result for people. Sentences have values in back quotes, rows have data. Fields that do not apply are empty. */
export interface Document {
  /** The line that sums up the result: the last line of a text, the heading elsewhere. */
  readonly verdict: string;
  /** The plan, for its facts. Absent without a plan. */
  readonly about?: Plan;
  /** The result of a check. */
  readonly checkOf?: CheckResult;
  /** The sentence about the shard of a plan. */
  readonly shard: string;
  /** Whether the document shows drift: a value that only the catalog has counts as added. */
  readonly isDrift: boolean;
  readonly failure?: Failure;
  /** For a report: the document of its plan, and the facts of the apply. */
  readonly plan?: Document;
  readonly run?: Run | undefined;
  /** Errors and warnings about an apply as such, and not about one of its operations. */
  readonly remarks: readonly Remark[];
  readonly outcomes: readonly OutcomeRow[];
  readonly settings: readonly Row[];
  /** The policies and waivers that changed, and the violations that they stopped before. */
  readonly policyChanges: readonly Row[];
  readonly lifted: readonly PolicyRow[];
  readonly problems: readonly ProblemRow[];
  /** The effect of the problems on an apply. */
  readonly refusal: string;
  readonly findings: readonly FindingRow[];
  /** Whether the document is for a pull request, in which no flags can be given. */
  readonly isReview?: boolean | undefined;
  readonly changes: readonly ChangeGroup[];
  /** The sentence about removed values that mode `merge` would keep. */
  readonly removals: string;
  /** The violations of policies that the plan introduces, and the verdicts in one sentence, empty without policies. */
  readonly policies: readonly PolicyRow[];
  readonly policyTotals: string;
  /** Verdicts that are unknown, with their reasons. */
  readonly unknownVerdicts: readonly PolicyRow[];
  /** Explanations of the policies with a violation or an unknown verdict. */
  readonly policyHelp: readonly Row[];
  /** The numbers of each policy that was judged. */
  readonly judged: readonly PolicyCount[];
  /** For a check, each policy with its numbers, and the verdicts that are not new violations. */
  readonly checked: readonly CheckedPolicy[];
  /** The rules that match something, each with its effect. */
  readonly rules: readonly RuleRow[];
  readonly unmanaged: readonly Unmanaged[];
  readonly unmanagedHead: string;
  /** Sentences about the changes: definitions that are kept in the catalog, facts that are unknown without a base. */
  readonly notes: readonly Row[];
  /** The sentence that names the complete output, for formats that shorten theirs. */
  readonly complete: string;
}

/** A document without content. */
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

/** An error or a warning about an apply as such. */
export interface Remark extends Row {
  readonly severity: "error" | "warning";
  readonly title: "verify" | "references left";
}

/** A problem of manifests, settings or the catalog. */
export interface ProblemRow extends Row {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly args: ProblemArgs;
  readonly isOfFile: boolean;
  readonly source: () => string | undefined;
}

/** A policy in a check: a sentence, and verdicts that are listed below it. */
export interface CheckedPolicy extends Row {
  readonly policy: string;
  readonly waived: readonly WaivedRow[];
}

/** A waived violation, with its expiry and reason. */
interface WaivedRow {
  readonly text: string;
  readonly reason: string;
}

/** A violation of a policy, with the place of the change that causes it. */
export interface PolicyRow extends Row {
  readonly severity: "error" | "warning";
  /** Its id. */
  readonly policy: string;
  readonly judged: Judged;
  /** The explanation for formats without `policyHelp`: a line about the policy, and the lines of a waiver. */
  readonly help: readonly string[];
}

/** A finding, with the way to allow it. */
export type FindingRow = Finding & Row;

/** Operations that were not applied and ended in the same way. Below it are the reason, and the expected and the found values. */
export interface OutcomeRow extends Row {
  readonly status: Exclude<Outcome["status"], "applied">;
  readonly outcomes: readonly Outcome[];
}

/** Changes that are shown together: all of a plan, or those of one class of drift. */
interface ChangeGroup {
  readonly class?: DriftClass;
  readonly changes: readonly Change[];
}

/** The effect of a rule in a plan. */
type RuleRow = RuleCount & Row;

/** The options of printing, for all formats. */
export interface View {
  /** Whether problems refuse the plan. They do for an apply, but not for an upsert. */
  readonly isRefusable?: boolean | undefined;
  /** Whether the result is for a pull request, in which no flags can be given. */
  readonly isReview?: boolean | undefined;
  /** Whether unmanaged values are shown. With `counts`, a text only counts them if there are many. */
  readonly unmanaged?: "counts" | "all" | "none" | undefined;
  /** Whether changes that many entities share are shown for each of them. */
  readonly all?: boolean | undefined;
  /** Whether the text of a report begins with its plan. */
  readonly withPlan?: boolean | undefined;
  /** Whether text has the colors of a terminal. */
  readonly color?: boolean | undefined;
  /** The page of a place in the repository, if it has one. */
  readonly fileOf?: ((origin: Origin) => string | undefined) | undefined;
  /** The line at a place in a file, if it can be read. */
  readonly lineOf: (origin: Origin) => string | undefined;
}
