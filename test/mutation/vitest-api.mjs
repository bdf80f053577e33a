import { setTimeout } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from "@vitest/expect";
import { format } from "@vitest/pretty-format";
import { getCurrentTest } from "@vitest/runner";
import { stripSnapshotIndentation } from "@vitest/snapshot";
import { spyOn } from "@vitest/spy";

/** What the tests of the pure core import from vitest, without vitest around it. */
export { afterAll, afterEach, beforeAll, beforeEach, describe, onTestFinished, test } from "@vitest/runner";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers, snapshots, predicates])
  chai.use(plugin);

/** Checks a value. */
export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect, {
  ...globalThis[ASYMMETRIC_MATCHERS_OBJECT],
});

export const vi = { spyOn, waitUntil };

async function waitUntil(isSo) {
  while (!(await isSo())) await setTimeout(1);
}

/** Compares with what is expected; it never changes that. */
function snapshots({ Assertion }, { addMethod, flag }) {
  addMethod(Assertion.prototype, "toMatchFileSnapshot", function (name) {
    const path = resolve(dirname(getCurrentTest().file.filepath), name);
    this.assert(flag(this, "object") === readFileSync(path, "utf8"), `it differs from ${name}`);
  });
  addMethod(Assertion.prototype, "toMatchInlineSnapshot", function (expected) {
    const text = format(flag(this, "object"), { escapeString: false, printBasicPrototype: false });
    this.assert(text === stripSnapshotIndentation(expected).trim(), "it differs from what the test expects");
  });
}

function predicates({ Assertion }, { addMethod, flag }) {
  addMethod(Assertion.prototype, "toSatisfy", function (predicate) {
    this.assert(predicate(flag(this, "object")), "it does not satisfy the predicate");
  });
}
