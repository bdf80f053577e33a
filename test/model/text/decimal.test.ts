import { expect, test } from "vitest";
import { isExactNumber } from "../../../src/model/text/decimal.ts";

test.each([
  ["0", true],
  ["-0.0", true],
  ["90.0", true],
  ["0.1", true],
  [".5", true],
  ["5.", true],
  ["1e21", true],
  ["1E+3", true],
  ["1000000000000000000000", true],
  ["9007199254740991", true],
  ["9007199254740993", false],
  ["12345678901234567890", false],
  ["0.30000000000000004", true],
  ["0.300000000000000040", true],
  ["0.30000000000000003", false],
  ["1e-400", false],
  ["1e400", false],
  ["0x10", true],
  ["", true],
])("that a double has all digits of %j is %j", (text, isExact) => {
  expect(isExactNumber(text)).toBe(isExact);
});
