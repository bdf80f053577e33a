import type { ASTNode } from "@marcbachmann/cel-js";
import { fastFinderOf } from "../../model/text/search.ts";

/** How many steps one evaluation takes at most. */
export const maxSteps = 200_000;

/** The longest text in an expression, in characters. */
export const maxText = 65_536;

/** How many characters one step reads. */
const charactersOfStep = 16;

/** Counts the steps of one evaluation down. Once it is stopped it stays so, whatever an expression does with the error. */
export interface Meter {
  left: number;
  /** Why it was stopped. */
  stopped?: string | undefined;
}

const tooLong = "the expression took too many steps";

/** Takes steps. Throws where there are not as many left. */
function spend(meter: Meter, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) stop(meter, tooLong);
}

/** Stops an evaluation. */
export function stop(meter: Meter, reason: string): never {
  meter.stopped ??= reason;
  throw new Error(meter.stopped);
}

type Evaluate = (this: unknown, ...args: unknown[]) => unknown;

/** What the library keeps of a node once it is type-checked: how operators and functions are carried out. */
interface CheckedNode {
  readonly evaluate: Evaluate;
  handle?: (...args: unknown[]) => unknown;
}

/**
 * Has each node of a type-checked expression count its evaluation, what it reads and the size of its result: before it reads, so
 * that nothing is done for which no step is left. The library has no limit of that kind; it calls the properties `evaluate` and
 * `handle` of a node, and replaces the first at its first call.
 */
export function addMeter(nodes: readonly ASTNode[], meter: Meter): void {
  for (const node of nodes) {
    const checked = node as unknown as CheckedNode;
    let inner = checked.evaluate;
    let isReplaced = false;
    const metered: Evaluate = function metered(...args) {
      // A node that replaces its property calls it at once: that is the same evaluation.
      if (isReplaced) {
        isReplaced = false;
        return inner.apply(node, args);
      }
      spend(meter, 1);
      const result = inner.apply(node, args);
      if (typeof result === "string" && result.length > maxText)
        stop(meter, `a text in the expression is longer than ${maxText} characters`);
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

/** By operator the steps that an operand takes: comparisons read all of both, and functions the texts that they are given. */
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
    // The search of the library may compare each character with all of the other text.
    if (isSearch && typeof first === "string" && typeof second === "string")
      return fastFinderOf(second)(first, 0) >= 0;
    return handle(...args);
  };
}

/** The function that looks for a text in another one. */
const searching = /^contains$/;

function sizeOf(result: unknown): number {
  if (Array.isArray(result)) return result.length;
  return result instanceof Map ? result.size : textSize(result);
}

function textSize(value: unknown): number {
  return typeof value === "string" ? Math.ceil(value.length / charactersOfStep) : 0;
}

const weights = new WeakMap<object, number>();

/** The steps that it takes to compare a value with another one: of all that is in it, however often the same is. */
function weightOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1 + textSize(value);
  const known = weights.get(value);
  if (known !== undefined) return known;
  const parts = value instanceof Map ? [...value].flat() : Object.values(value);
  const weight = parts.reduce((sum: number, part: unknown) => sum + weightOf(part), 1);
  weights.set(value, weight);
  return weight;
}
