import fc from "fast-check";
import { XmlDocument } from "libxml2-wasm";
import { expect, test } from "vitest";
import { isFacetChange } from "../../../src/model/change.ts";
import type { Finding, Plan } from "../../../src/model/plan.ts";
import type { Report } from "../../../src/model/report.ts";
import type { CheckResult } from "../../../src/plan/policies/check-result.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import type { Result } from "../../../src/report/document/document.ts";
import { datasetNamed } from "../../support/states.ts";
import { hostilePlans } from "../hostile.ts";
import { checkOf, findings, losses, planOf, problems, usualChanges, violation } from "../plans.ts";
import { printed } from "../print.ts";
import { faultsBy } from "./schemas.ts";

const checks = ["sarif", "gitlab", "junit"] as const;
const plan = planOf({ changes: losses, findings, problems });
const report = reportOf(planOf({ changes: [...usualChanges, ...losses] }));

function reportOf(of: Plan, reason = "no right to it"): Report {
  const [failed, stale, ...others] = operationsOf(of);
  return {
    plan: of,
    outcomes: [
      ...(failed ? [{ status: "failed", operation: failed, error: reason } as const] : []),
      ...(stale ? [{ status: "stale", operation: stale, because: reason } as const] : []),
      ...others.map((operation) => ({ status: "applied", operation }) as const),
    ],
  };
}

/** Results with the errors and warnings that they have. */
const results: readonly (readonly [string, Result, number, number])[] = [
  ["a plan", { plan }, 4, 2],
  ["a plan without changes", { plan: planOf() }, 0, 0],
  ["drift", { drift: planOf({ findings }) }, 0, 1],
  ["a report", { report }, 1, 1],
  ["a report that is not verified", { report: { ...report, unproved: "HTTP 503" } }, 2, 1],
  ["problems", { problems }, 2, 1],
  ["no problems", { problems: [] }, 0, 0],
  ["a check", { check: checkOf({}) }, 0, 0],
  ["a check with a violation", { check: checkOf({ introduced: [violation] }) }, 2, 0],
  ["a check with an unknown verdict", { check: checkOf({ unknown: [violation] }) }, 1, 0],
  ["a failure", { failure: { code: "unreachable", message: "no server" } }, 1, 0],
];

interface Sarif {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly automationDetails?: { readonly id: string };
      readonly invocations: readonly [{ readonly executionSuccessful: boolean }];
      readonly results: readonly SarifResult[];
    },
  ];
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly locations: readonly [{ readonly physicalLocation: object }];
  readonly partialFingerprints: object;
}

function sarifOf(result: Result): Sarif["runs"][0] {
  return (JSON.parse(printed(result, "sarif")) as Sarif).runs[0];
}

interface Entry {
  readonly severity: string;
  readonly fingerprint: string;
  readonly location: { readonly path: string };
}

function gitlabOf(result: Result): readonly Entry[] {
  return JSON.parse(printed(result, "gitlab")) as readonly Entry[];
}

/** How many nodes of a text in XML a path finds. */
function found(text: string, path: string): number {
  const document = XmlDocument.fromString(text);
  const nodes = document.root.find(path).length;
  document.dispose();
  return nodes;
}

test.each(checks.flatMap((format) => results.map(([name, result]) => [format, name, result] as const)))(
  "the %s of %s is valid by the schema",
  (format, _, result) => {
    expect(faultsBy[format](printed(result, format))).toEqual([]);
  },
);

test.each(results)("all formats have the same errors and warnings of %s", (_, result, errors, warnings) => {
  const { results: rows } = sarifOf(result);
  const entries = gitlabOf(result);
  const junit = printed(result, "junit");
  const numberOf = (each: string): number => rows.filter(({ level }) => level === each).length;

  expect([numberOf("error"), numberOf("warning")]).toEqual([errors, warnings]);
  expect(entries.filter(({ severity }) => severity === "critical")).toHaveLength(errors);
  expect(entries).toHaveLength(errors + warnings);
  expect([found(junit, "//failure"), found(junit, "//testcase/system-out")]).toEqual([errors, warnings]);
  expect(found(junit, `/testsuites[@failures='${errors}'][@tests=count(//testcase)]`)).toBe(1);
});

test("without a plan no format looks as if all were well", () => {
  const failure: Result = { failure: { code: "unreachable", message: "no server" } };

  expect(sarifOf(failure)).toMatchObject({
    invocations: [{ executionSuccessful: false }],
    results: [{ ruleId: "unreachable", level: "error", message: { text: "no server" } }],
  });
  expect(gitlabOf(failure)).toMatchObject([{ description: "no server", severity: "critical" }]);
  // No other case passes.
  expect(found(printed(failure, "junit"), "//testcase")).toBe(1);
});

test("a check that could judge all has run, whatever it found", () => {
  const ran = (check: CheckResult): boolean => sarifOf({ check }).invocations[0].executionSuccessful;

  expect(ran(checkOf({}))).toBe(true);
  expect(ran(checkOf({ introduced: [violation] }))).toBe(true);
  expect(ran(checkOf({ unknown: [violation] }))).toBe(false);
});

test("what was judged and found to be good is a case that passes, so that Jenkins takes the file", () => {
  expect(printed({ plan: planOf() }, "junit")).toContain('name="no problems"');
  expect(printed({ plan: planOf() }, "junit")).toContain('name="no findings"');
});

test("drift, which leaves out what guards find, does not claim that there are no findings", () => {
  const text = printed({ drift: planOf({ findings: findings.slice(0, 2) }) }, "junit");

  expect(text).toContain('name="no problems"');
  expect(text).not.toContain("no findings");
});

test("each result names its rule by id and index", () => {
  const { tool, results: rows } = sarifOf({ plan });

  for (const { ruleId, ruleIndex } of rows) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
});

test("a fingerprint stays when lines are added above", () => {
  const moved = (by: number): readonly object[] =>
    gitlabOf({
      report: reportOf({
        ...plan,
        problems: problems.map((problem) => ({
          ...problem,
          ...(problem.origin && { origin: { ...problem.origin, line: problem.origin.line + by } }),
        })),
        changes: losses.map((change) => ({
          ...change,
          ...(change.source && { source: { ...change.source, line: change.source.line + by } }),
        })),
      }),
    }).map(({ fingerprint }) => fingerprint as unknown as object);

  expect(moved(7)).toEqual(moved(0));
});

test("equal problems have different fingerprints", () => {
  const twice = gitlabOf({ problems: [...problems, ...problems] });

  expect(new Set(twice.map(({ fingerprint }) => fingerprint)).size).toBe(2 * problems.length);
});

test("a finding has the place of the first change that it is about", () => {
  const [, second] = losses.filter(isFacetChange);
  const [finding] = findings;
  const changes = second ? [{ urn: second.urn }] : [];
  const { results: rows } = sarifOf({
    plan: planOf({ changes: losses, findings: finding ? [{ ...finding, changes }] : [] }),
  });

  expect(rows[0]?.locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: "catalog/finance.yaml" },
    region: { startLine: 22, startColumn: 3 },
  });
});

test("results of one environment do not replace those of another", () => {
  const scope = { directory: "catalog", environment: "prod" };

  expect(sarifOf({ plan: planOf({ scope }) }).automationDetails).toEqual({ id: "datahub-gitops/prod/" });
});

// oxlint-disable-next-line no-control-regex -- these characters are the point
const unsafe = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\u061C]/;

test.each(checks)("%s is valid and shows no character that steers, whatever names contain", (format) => {
  fc.assert(
    fc.property(hostilePlans, fc.string({ minLength: 1 }), (hostile, reason) => {
      for (const result of [
        { plan: hostile },
        { drift: hostile },
        { report: reportOf(hostile, reason) },
        { problems: hostile.problems ?? [] },
        { failure: { code: reason, message: reason } },
      ]) {
        const text = printed(result, format);
        expect(text).not.toMatch(unsafe);
        expect(faultsBy[format](text)).toEqual([]);
      }
    }),
    { numRuns: 20 },
  );
});

const policy = {
  id: "prod-governed",
  severity: "error" as const,
  source: { file: "catalog/policies.yaml", line: 1, column: 1 },
  matched: 7,
  passes: 2,
  introduced: ["a", "b"].map((name) => ({ urn: datasetNamed(name), reasons: ["has no domain"] })),
  fixed: [],
  existing: 1,
  waived: 2,
  unknown: 0,
};

test("each policy is a suite of JUnit, with its violations as cases, and numbers for what a plan only counts", () => {
  const text = printed({ plan: planOf({ policies: [policy] }) }, "junit");
  const suite = "//testsuite[@name='policy prod-governed']";

  expect(faultsBy.junit(text)).toEqual([]);
  expect(found(text, `${suite}[@tests='4'][@failures='2'][@skipped='1']/testcase/failure`)).toBe(2);
  expect(found(text, `${suite}/testcase[@name='2 waived']/skipped`)).toBe(1);
  expect(found(text, `${suite}/testcase[@name='2 of 7 pass'][not(*)]`)).toBe(1);
  expect(found(text, `${suite}/properties/property[@name='existing'][@value='1']`)).toBe(1);
});

test("a policy that passes is a suite, too", () => {
  const passing = { ...policy, matched: 2, introduced: [], existing: 0, waived: 0 };
  const text = printed({ plan: planOf({ policies: [passing] }) }, "junit");

  expect(found(text, "//testsuite[@name='policy prod-governed'][@failures='0'][@skipped='0']/testcase")).toBe(
    1,
  );
});

test("the suite of a policy has its violations and what is unknown, and that of findings that it fails", () => {
  const text = printed({ check: checkOf({ introduced: [violation], unknown: [violation] }) }, "junit");

  expect(found(text, "//testsuite[@name='policy governed']/testcase/failure")).toBe(2);
  expect(found(text, "//testsuite[@name='findings']/testcase[@name='guard policy governed']/failure")).toBe(
    1,
  );
  expect(found(text, "//testcase[@name='no findings']")).toBe(0);
});

test("the suite of findings has as many cases as a plan has findings", () => {
  const ofPolicy: Finding = {
    guard: "policy",
    severity: "error",
    rule: "governed",
    numbers: { violations: 2 },
    flag: "",
    setting: "",
    changes: [],
  };
  const text = printed({ plan: planOf({ findings: [...findings, ofPolicy], policies: [policy] }) }, "junit");

  expect(found(text, "//testsuite[@name='findings']/testcase")).toBe(findings.length + 1);
});

test("what a check waives is a case that is skipped, with the reason and the day", () => {
  const waiver = {
    policy: "governed",
    conditions: [],
    exclusions: [],
    reason: "Replaced in March, DATA-412.",
    expires: "2027-01-31",
    origin: { file: "catalog/policies.yaml", line: 9, column: 1 },
  };
  const text = printed({ check: checkOf({ waived: [{ ...violation, waiver }] }) }, "junit");

  const reason = "waived until 2027-01-31: Replaced in March, DATA-412.";
  expect(found(text, `//testcase[contains(@name, 'orders')]/skipped[text()='${reason}']`)).toBe(1);
});

test("a plan of which a verdict is unknown looks like a failure in every format", () => {
  const unknown: Result = { plan: planOf({ policies: [{ ...policy, introduced: [], unknown: 1 }] }) };

  expect(sarifOf(unknown)).toMatchObject({
    invocations: [{ executionSuccessful: false }],
    results: [{ ruleId: "policy-unknown", level: "error" }],
  });
  expect(gitlabOf(unknown)).toMatchObject([{ severity: "critical" }]);
  expect(found(printed(unknown, "junit"), "//testcase/failure")).toBe(1);
  expect(printed(unknown, "html")).toMatch(/<header class="bad">[^]*Unknown/);
});
