/** Counts the steps of an evaluation, and stops the evaluation when no steps are left. */

import type { ASTNode } from "@marcbachmann/cel-js";
import { fastFinderOf } from "../../model/text/search.ts";

/** The maximum number of steps in one evaluation. */
export const maxSteps = 200_000;

/** The maximum length of a string in an evaluation, in characters. */
export const maxText = 65_536;

/** The number of characters that count as one step. */
const charactersOfStep = 16;

/**
 * The remaining steps of an evaluation. After an evaluation is stopped, it remains stopped, even if the expression ignores the
 * error.
 */
export interface Meter {
  left: number;
  /** The reason why the evaluation was stopped. */
  stopped?: string | undefined;
}

const tooLong = "the expression took too many steps";

/** Deducts steps, and stops the evaluation if too few steps are left. */
function spend(meter: Meter, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) stop(meter, tooLong);
}

/** Stops an evaluation by throwing an error. */
export function stop(meter: Meter, reason: string): never {
  meter.stopped ??= reason;
  throw new Error(meter.stopped);
}

type Evaluate = (this: unknown, ...args: unknown[]) => unknown;

/** The functions that the library stores in a type-checked node. */
interface CheckedNode {
  readonly evaluate: Evaluate;
  handle?: (...args: unknown[]) => unknown;
}

/**
 * Makes each node of a type-checked expression count its evaluation, its input, and the size of its result. Input is counted
 * before it is read, so no work is missed. The library itself does not limit evaluations. It calls the node's `evaluate` and
 * `handle` properties, and replaces `evaluate` on the first call.
 */
export function addMeter(nodes: readonly ASTNode[], meter: Meter): void {
  for (const node of nodes) {
    const checked = node as unknown as CheckedNode;
    let inner = checked.evaluate;
    let isReplaced = false;
    const metered: Evaluate = function metered(...args) {
      // If a node replaces this property, it immediately calls the new function as part of the same evaluation.
      if (isReplaced) {
        isReplaced = false;
        return inner.apply(node, args);
      }
      spend(meter, 1);
      const result = inner.apply(node, args);
      if (typeof result === "string" && result.length > maxText)
        stop(meter, `a string in the expression is longer than ${maxText} characters`);
      spend(meter, sizeOf(result));
      return result;
    };
    Object.defineProperty(node, "evaluate", {
      get: () => metered,
      set: (replaced: Evaluate) => {
        inner = replaced;
        isReplaced = true;
      },
    });
    const costOf = costs.get(node.op);
    if (costOf && checked.handle) checked.handle = meteredHandle(node, checked.handle, { meter, costOf });
  }
}

/**
 * Functions that return the number of steps for an operand, keyed by operator. A comparison counts all parts of its operands.
 * Other operators and functions count only strings.
 */
const costs: ReadonlyMap<string, (operand: unknown) => number> = new Map([
  ...["==", "!=", "<", "<=", ">", ">=", "in"].map((op) => [op, weightOf] as const),
  ...["+", "call", "rcall"].map((op) => [op, textSize] as const),
]);

function meteredHandle(
  node: ASTNode,
  handle: (...args: unknown[]) => unknown,
  { meter, costOf }: { readonly meter: Meter; readonly costOf: (operand: unknown) => number },
): (...args: unknown[]) => unknown {
  const isCall = node.op === "call" || node.op === "rcall";
  const isSearch = isCall && searching.test(node.args[0]);
  return (...args) => {
    const operands = isCall && Array.isArray(args[0]) ? (args[0] as unknown[]) : args.slice(0, 2);
    const [first, second] = operands;
    for (const operand of operands) spend(meter, costOf(operand));
    // The library's search may compare each character with the complete search string, so a faster search is used.
    if (isSearch && typeof first === "string" && typeof second === "string")
      return fastFinderOf(second)(first, 0) >= 0;
    return handle(...args);
  };
}

/** Matches the names of functions that search a string for a substring. */
const searching = /^contains$/;

function sizeOf(result: unknown): number {
  if (Array.isArray(result)) return result.length;
  return result instanceof Map ? result.size : textSize(result);
}

function textSize(value: unknown): number {
  return typeof value === "string" ? Math.ceil(value.length / charactersOfStep) : 0;
}

const weights = new WeakMap<object, number>();

/** Counts the steps for comparing a value. Each part of the value counts each time it occurs. */
function weightOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1 + textSize(value);
  const known = weights.get(value);
  if (known !== undefined) return known;
  const parts = value instanceof Map ? [...value].flat() : Object.values(value);
  const weight = parts.reduce((sum: number, part: unknown) => sum + weightOf(part), 1);
  weights.set(value, weight);
  return weight;
}
