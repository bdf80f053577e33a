/** Compiles and evaluates CEL expressions about an entity, with limits on the size and the number of steps. */

import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { matcherOf, maxPattern } from "../../model/text/pattern.ts";
import {
  callFault,
  type ExpressionFault,
  failureOf,
  faultOf,
  type FieldsByType,
  hasFault,
} from "./expression-faults.ts";
import { addMeter, maxSteps, type Meter, stop } from "./meter.ts";

/**
 * The result of an evaluation, and the number of steps that it took. The value is never true if the evaluation failed or was
 * stopped.
 */
type Outcome = { readonly steps: number } & ({ readonly value: boolean } | { readonly unknown: string });

/** A parsed and type-checked CEL expression about an entity, with limits on its evaluation. */
export interface Expression {
  readonly text: string;
  /**
   * The names of all fields that the expression uses, in the entity and in nested objects. `undefined` if it may use any field.
   */
  readonly fields: ReadonlySet<string> | undefined;
  /** Evaluates the expression in at most `steps` steps, and never more than `maxSteps`. */
  evaluate(entity: object, steps?: number): Outcome;
}

/** The types of fields, in CEL notation: `string`, `list<Owner>`, `map<string, list<string>>`. */
type FieldTypes = Readonly<Record<string, string>>;

/** The type of the variable `asset`, and the types of objects nested in it. */
export interface ExpressionTypes {
  readonly asset: ObjectType;
  readonly below: readonly ObjectType[];
}

/** An object type. Expressions receive instances of its class (see `objectTypeOf`). */
export interface ObjectType {
  readonly name: string;
  readonly fields: FieldTypes;
  /** Creates an object of this type. */
  readonly make: (values: Readonly<Record<string, unknown>>) => object;
  readonly constructedBy: new (values: object) => object;
}

/** The maximum length of an expression, in characters. */
const maxExpression = 4000;

/** The parser's limits on the size of an expression. */
const limits = {
  maxAstNodes: 500,
  maxDepth: 24,
  maxListElements: 200,
  maxMapEntries: 50,
  maxCallArguments: 4,
};

/** Creates an object type with its own class, because CEL determines an object's type by its constructor. */
export function objectTypeOf(name: string, fields: FieldTypes): ObjectType {
  // oxlint-disable-next-line typescript/no-extraneous-class -- CEL determines an object's type by its class
  const constructedBy = class {
    constructor(values: object) {
      Object.assign(this, values);
    }
  };
  return { name, fields, constructedBy, make: (values) => new constructedBy(values) };
}

/** Returns a compiler for expressions that use the given types. */
export function expressionsOver({
  asset,
  below,
}: ExpressionTypes): (text: string) => Expression | ExpressionFault {
  const environment = new Environment({ limits });
  for (const { name, fields, constructedBy } of [...below, asset]) {
    environment.registerType(name, { ctor: constructedBy, fields });
  }
  environment.registerVariable("asset", asset.name);
  // All expressions share one meter, because evaluations never overlap.
  const meter: Meter = { left: 0 };
  environment.registerFunction("like(string, string): bool", (text: string, pattern: string) => {
    if (pattern.length > maxPattern)
      stop(meter, `a pattern in the expression is longer than ${maxPattern} characters`);
    return like(text, pattern);
  });
  const types: FieldsByType = new Map([...below, asset].map(({ name, fields }) => [name, fields]));
  return (text) => compile(text, { environment, meter, types });
}

const matchers = new Map<string, (text: string) => boolean>();

function like(text: string, pattern: string): boolean {
  const matches = matchers.get(pattern) ?? matcherOf(pattern);
  // The cache is limited, because an expression can compute any number of patterns.
  if (matchers.size < 1000) matchers.set(pattern, matches);
  return matches(text);
}

interface Compiler {
  readonly environment: Environment;
  readonly meter: Meter;
  readonly types: FieldsByType;
}

function compile(text: string, { environment, meter, types }: Compiler): Expression | ExpressionFault {
  if (text.length > maxExpression) {
    return { reason: `it is longer than ${maxExpression} characters`, at: 0 };
  }
  try {
    const parsed = environment.parse(text);
    const nodes = nodesIn(parsed.ast);
    const refused = nodes.map(callFault).find((fault) => fault !== undefined);
    if (refused) return refused;
    const { valid, type, error } = parsed.check();
    if (!valid) return faultOf(error, text, types);
    const pointless = nodes.map((node) => hasFault(node, text, types)).find((fault) => fault !== undefined);
    if (pointless) return pointless;
    if (type !== "bool") return { reason: `its result must be true or false, but is of type ${type}`, at: 0 };
    addMeter(nodes, meter);
    return {
      text,
      fields: fieldsIn(nodes),
      evaluate: (entity, steps = maxSteps) =>
        evaluate(() => parsed({ asset: entity }) as unknown, { text, meter, steps }),
    };
  } catch (error) {
    return faultOf(error, text, types);
  }
}

function evaluate(
  run: () => unknown,
  { text, meter, steps }: { readonly text: string; readonly meter: Meter; readonly steps: number },
): Outcome {
  meter.left = Math.min(steps, maxSteps);
  meter.stopped = undefined;
  const spent = (): number => Math.min(steps, maxSteps) - Math.max(0, meter.left);
  try {
    const value = run();
    // CEL drops errors that do not affect the result. This includes errors thrown by the meter.
    if (meter.stopped !== undefined) return { unknown: meter.stopped, steps: spent() };
    if (typeof value === "boolean") return { value, steps: spent() };
    return { unknown: "the expression is neither true nor false", steps: spent() };
  } catch (error) {
    const reason = meter.stopped ?? `the expression failed: ${failureOf(error, text)}`;
    return { unknown: reason, steps: spent() };
  }
}

/** Returns all nodes in an expression. The recursion is safe, because the parser limits the depth. */
function nodesIn(node: ASTNode): readonly ASTNode[] {
  return [node, ...nodesBelow(node.args).flatMap(nodesIn)];
}

function nodesBelow(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesBelow);
  return isNode(args) ? [args] : [];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value;
}

/**
 * Returns the names of all fields that follow a dot. If `asset` is also used without a field name, any field may be used, and the
 * result is `undefined`.
 */
function fieldsIn(nodes: readonly ASTNode[]): ReadonlySet<string> | undefined {
  const accesses = nodes.filter((node) => node.op === ".");
  const owners = new Set<ASTNode>(accesses.map((node) => node.args[0]));
  const isElsewhere = nodes.some((node) => node.op === "id" && node.args === "asset" && !owners.has(node));
  return isElsewhere ? undefined : new Set(accesses.map((node) => node.args[1]));
}
