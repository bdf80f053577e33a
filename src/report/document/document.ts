/** Defines the document, which contains everything that formats print, and the view, which contains the print options. */

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

/** The reason why a command has no result. `code` is for programs, and `message` is a sentence for users. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A result in human-readable form. In sentences, values are in backticks. Fields that do not apply are empty. */
export interface Document {
  /** The line that summarizes the result. It is the last line of text output, and the heading in other formats. */
  readonly verdict: string;
  /** The plan whose facts are shown. Absent if the result has no plan. */
  readonly about?: Plan;
  readonly checkOf?: CheckResult;
  /** The sentence about the plan's shard. */
  readonly shard: string;
  /** Whether the document shows drift. In drift, a value that exists only in the catalog counts as added. */
  readonly isDrift: boolean;
  readonly failure?: Failure;
  /** For a report: the document for its plan. `run` contains facts about the apply. */
  readonly plan?: Document;
  readonly run?: Run | undefined;
  /** Errors and warnings about the apply itself rather than about one of its operations. */
  readonly remarks: readonly Remark[];
  readonly outcomes: readonly OutcomeRow[];
  readonly settings: readonly Row[];
  /** The changed policies and waivers. `lifted` contains the violations that policies no longer block after the change. */
  readonly policyChanges: readonly Row[];
  readonly lifted: readonly PolicyRow[];
  readonly problems: readonly ProblemRow[];
  /** The sentence about how the problems affect an apply. */
  readonly refusal: string;
  readonly findings: readonly FindingRow[];
  /** Whether the document is for a pull request. If so, texts suggest settings instead of flags, which readers cannot pass. */
  readonly isReview?: boolean | undefined;
  readonly changes: readonly ChangeGroup[];
  /** The sentence about removed values that `merge` mode would keep. */
  readonly removals: string;
  /**
   * The policy violations that the plan introduces. `policyTotals` is a sentence that summarizes the verdicts. Both are empty
   * without policies.
   */
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
  /** The rules that match at least one entity, each with its effect. */
  readonly rules: readonly RuleRow[];
  readonly unmanaged: readonly Unmanaged[];
  readonly unmanagedHead: string;
  /**
   * Sentences that state, for example, how many definitions are kept in the catalog, or which facts are unknown without a base.
   */
  readonly notes: readonly Row[];
  /** A sentence that states where to find the full output, for formats that shorten their output. */
  readonly complete: string;
}

/** A document without content, from which other documents are built. */
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
  readonly policy: string;
  readonly judged: Judged;
  /** The explanation for formats without `policyHelp`: a line about the policy, and the lines of a suggested waiver. */
  readonly help: readonly string[];
}

/** A finding as a row. The text also explains the remedy. */
export type FindingRow = Finding & Row;

/**
 * Operations that were not applied for the same reason. The lines below the row show the reason, the expected values and the
 * found values.
 */
export interface OutcomeRow extends Row {
  readonly status: Exclude<Outcome["status"], "applied">;
  readonly outcomes: readonly Outcome[];
}

/** Changes that are shown together: all changes in a plan, or one class of drift. */
interface ChangeGroup {
  readonly class?: DriftClass;
  readonly changes: readonly Change[];
}

/** Returns a document's changes in all classes. */
export function changesIn({ changes }: Document): readonly Change[] {
  return changes.flatMap((group) => group.changes);
}

/** A rule's effect in a plan. */
type RuleRow = RuleCount & Row;

/** The print options for all formats. */
export interface View {
  /** Whether problems block the plan. They block an apply, but not an upsert. */
  readonly isRefusable?: boolean | undefined;
  /** Whether the result is for a pull request. If so, texts suggest settings instead of flags, which readers cannot pass. */
  readonly isReview?: boolean | undefined;
  /** Whether to show unmanaged values. With `counts`, text output shows only their number if there are many. */
  readonly unmanaged?: "counts" | "all" | "none" | undefined;
  /** Whether to list a shared change separately for each entity. */
  readonly all?: boolean | undefined;
  /** Whether a report's text begins with its plan. */
  readonly withPlan?: boolean | undefined;
  readonly color?: boolean | undefined;
  /** Returns the URL of the web page for a location in the repository, if there is one. */
  readonly fileOf?: ((origin: Origin) => string | undefined) | undefined;
  /** Returns the source line at a location, if it can be read. */
  readonly lineOf: (origin: Origin) => string | undefined;
}
