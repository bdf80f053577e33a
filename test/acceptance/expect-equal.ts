import { canonicalJson, type Json } from "../../src/model/json.ts";

/** Throws where something is not as expected, in any order of the keys of mappings. */
export function expectEqual(what: string, found: Json | undefined, expected: Json): void {
  const [is, shouldBe] = [found === undefined ? "nothing" : canonicalJson(found), canonicalJson(expected)];
  if (is !== shouldBe) throw new Error(`${what}: expected ${shouldBe}, found ${is}`);
}

/** Throws where a list does not hold exactly these texts, in any order. */
export function expectSet(what: string, found: readonly string[], expected: readonly string[]): void {
  expectEqual(what, found.toSorted(), expected.toSorted());
}

/** Throws where something does not hold. */
export function expectThat(what: string, holds: boolean): void {
  if (!holds) throw new Error(what);
}
