import { expect, test } from "vitest";
import type { Report } from "../../src/model/report.ts";
import { operationsOf } from "../../src/plan/order/operations.ts";
import type { Result } from "../../src/report/document/document.ts";
import { formats } from "../../src/report/format.ts";
import { datasetNamed } from "../support/states.ts";
import { checkOf, findings, losses, planOf, problems, violation } from "./plans.ts";
import { printed } from "./print.ts";

const plan = planOf({ changes: losses, findings });
const drift = planOf({ changes: losses.map((change) => ({ ...change, class: "changed" })) });
const report: Report = {
  plan,
  outcomes: operationsOf(plan).map((operation) => ({ status: "failed", operation, error: "no right to it" })),
};

/** Results, and what every format says of them. */
const results: readonly (readonly [string, Result, string])[] = [
  ["a plan", { plan }, "--max-deletes"],
  ["drift", { drift }, ""],
  ["a report", { report }, "no right to it"],
  ["problems", { problems }, "asset-missing"],
  ["a failure", { failure: { code: "unreachable", message: "no server" } }, "no server"],
];

test.each(formats.flatMap((format) => results.map((result) => [format, ...result] as const)))(
  "%s prints %s, in pieces that end with a line",
  (format, _, result, words) => {
    const text = printed(result, format);

    expect(text).toContain(words);
    expect(text).toMatch(/[^\n]\n$/);
  },
);

test.each(["markdown", "html", "sarif", "junit"] as const)(
  "%s has the last line of the text, and so the same numbers",
  (format) => {
    for (const [, result] of results.slice(0, 3)) {
      const verdict = printed(result, "text").trimEnd().split("\n").at(-1) ?? "";
      expect(printed(result, format)).toContain(verdict);
    }
  },
);

test.each(formats)("%s prints URNs that no address can contain", (format) => {
  const urn = datasetNamed("prod.\uD800");
  const links = "https://datahub.acme.com";
  const ofUrn = planOf({
    changes: losses.map((change) => ({ ...change, urn })),
    links,
    names: { [urn]: "half \uDC00" },
    unmanaged: [{ urn, kind: "Dataset", reason: "no-longer-declared" }],
  });
  const broken = { ...violation, urn };
  const those: readonly Result[] = [
    { plan: ofUrn },
    { drift: ofUrn },
    { report: { plan: ofUrn, outcomes: [] } },
    { check: { ...checkOf({ introduced: [broken], existing: [broken], fixed: [broken] }), links } },
  ];

  for (const result of those) expect(printed(result, format)).not.toBe("");
});
