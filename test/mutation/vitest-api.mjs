import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from "@vitest/expect";
import { getCurrentTest } from "@vitest/runner";
import { spyOn } from "@vitest/spy";

/** What the tests of the pure core import from vitest, without vitest around it. */
export { afterAll, afterEach, beforeAll, beforeEach, describe, onTestFinished, test } from "@vitest/runner";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers, fileSnapshots, predicates])
  chai.use(plugin);

/** Checks a value. */
export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect, {
  ...globalThis[ASYMMETRIC_MATCHERS_OBJECT],
});

export const vi = { spyOn };

function fileSnapshots({ Assertion }, { addMethod, flag }) {
  addMethod(Assertion.prototype, "toMatchFileSnapshot", function (name) {
    const path = resolve(dirname(getCurrentTest().file.filepath), name);
    this.assert(flag(this, "object") === readFileSync(path, "utf8"), `it differs from ${name}`);
  });
}

function predicates({ Assertion }, { addMethod, flag }) {
  addMethod(Assertion.prototype, "toSatisfy", function (predicate) {
    this.assert(predicate(flag(this, "object")), "it does not satisfy the predicate");
  });
}
