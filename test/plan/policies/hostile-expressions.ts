import fc from "fast-check";
import { maxPattern } from "../../../src/model/text/pattern.ts";

/** Expressions that are well-formed, and do as much as they can: loops in loops, long strings and lists, regular expressions. */
const expressions = fc.letrec<{ bool: string; list: string; string: string }>((tie) => {
  const [bool, list, string] = [tie("bool"), tie("list"), tie("string")];
  const of = (template: string, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.tuple(...parts).map((made) => made.reduce((all, each) => all.replace("#", () => each), template));
  const deep = { maxDepth: 9, depthSize: "large" } as const;
  return {
    string: fc.oneof(
      deep,
      fc.constantFrom("asset.name", "x", "'a'", `'${"ab".repeat(500)}'`, "'*a*b*a*b*'"),
      fc.nat(12).map((times) => `['aaaa']${".map(x, x + x)".repeat(times)}[0]`),
      of("(# + 'b' + #)", string, string),
      of("(# + #)", string, string),
      of("#.upperAscii()", string),
    ),
    list: fc.oneof(
      deep,
      fc.constantFrom("asset.tags", "asset.structured_properties['retention']", "[]", "[asset.name, 'a']"),
      fc.nat(12).map((times) => `[asset.name]${".map(x, [x, x])".repeat(times)}[0]`),
      of("(# + #)", list, list),
      of("#.filter(x, #)", list, bool),
      of("#.map(x, #)", list, string),
      of("#.map(x, x + x).map(x, x + x).map(x, x + x)", list),
      of("[#, #, #, #]", string, string, string, string),
    ),
    bool: fc.oneof(
      deep,
      fc.constantFrom("true", "asset.owners.exists(o, o.active)"),
      of("#.all(x, #)", list, bool),
      of("#.exists(x, # || false)", list, bool),
      of("#.exists_one(x, #)", list, bool),
      of("(# in #)", string, list),
      of("like(#, #)", string, string),
      of("#.contains(#)", string, string),
      of("#.contains(#)", string, string),
      of("#.endsWith(#)", string, string),
      of("(# == #)", string, string),
      of("(# == #)", list, list),
      of("(# <= #)", string, string),
      of("#.all(x, # || true)", list, bool),
      of("(size(#) > 2)", list),
      of("(# && #)", bool, bool),
      of("(# ? # : #)", bool, bool, bool),
      of("#.matches('(a+)+$')", string),
    ),
  };
});

/** Expressions of CEL that are well-formed, and do as much as they can. */
export const hostileExpression: fc.Arbitrary<string> = expressions.bool;

/** Patterns of which much looks alike, with as much as a manifest can have. */
export const hostilePattern: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.constantFrom("a", "aa", "ab", "b", "*", "?", "*a", "a*b", "?a"),
      fc.integer({ min: 1, max: 300 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) =>
    parts
      .map(([sign, times]) => sign.repeat(times))
      .join("")
      .slice(0, maxPattern),
  );
