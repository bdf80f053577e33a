import { expect, test } from "vitest";
import { countsOf, defaultLimits, guardFindings } from "../../src/plan/checks/guards/index.ts";
import { nothingIgnored } from "../../src/plan/base/ignore.ts";
import { urn } from "../support/states.ts";

test("what has vanished is named in the order of its URNs, whatever order the manifests had", () => {
  const [first, second] = [urn("urn:li:domain:1"), urn("urn:li:tag:1")];
  const nothing = { changes: [], desired: new Map(), live: new Map(), ignored: nothingIgnored };
  const limits = { ...defaultLimits, vanished: { max_percent: 0, min_existing: 0 } };
  const [one, other] = [
    [first, second],
    [second, first],
  ].map((urns) =>
    guardFindings({ changes: [], counts: countsOf({ ...nothing, vanished: { urns, of: 2 } }) }, limits),
  );
  expect(one?.[0]?.changes).toEqual([{ urn: first }, { urn: second }]);
  expect(other).toEqual(one);
});
