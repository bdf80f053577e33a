import { type ASTNode, Environment, type ParseError } from "@marcbachmann/cel-js";
import { matcherOf } from "../../model/text/pattern.ts";

/** What is wrong with an expression, and where: the offset in its text. */
export interface ExpressionFault {
  readonly reason: string;
  readonly at: number;
}

/** What an expression came to. It is never true where it failed or would have taken too long. */
type Outcome = { readonly value: boolean } | { readonly unknown: string };

/** An expression of CEL about an entity: parsed, type-checked and bounded. */
export interface Expression {
  readonly text: string;
  /** The names of all fields that it uses, of the entity and of what is below it; `undefined` where it may use any. */
  readonly fields: ReadonlySet<string> | undefined;
  evaluate(entity: object): Outcome;
}

/** The type of a field, in CEL's notation: `string`, `list<Owner>`, `map<string, list<string>>`. */
type FieldTypes = Readonly<Record<string, string>>;

/** What expressions are about: the variable `asset`, and the types of what is below it. */
export interface ExpressionTypes {
  readonly asset: ObjectType;
  readonly below: readonly ObjectType[];
}

/** A type of objects. What is passed to an expression are instances of its class: see `objectTypeOf`. */
export interface ObjectType {
  readonly name: string;
  readonly fields: FieldTypes;
  /** Makes an object of it. */
  readonly make: (values: Readonly<Record<string, unknown>>) => object;
  readonly constructedBy: new (values: object) => object;
}

/** The longest text of an expression, in characters. */
const longestExpression = 4000;

/** How deep an expression may be nested, and how many nodes it may have. */
const limits = {
  maxAstNodes: 500,
  maxDepth: 24,
  maxListElements: 200,
  maxMapEntries: 50,
  maxCallArguments: 4,
};

/** How many steps one evaluation may take: each evaluated node is one, and so are each element and 16 characters of its result. */
const mostSteps = 2_000_000;

/** The functions of CEL that an expression may call: no regular expressions, and nothing that reads a clock or a time zone. */
export const functionNames: readonly string[] =
  "all exists exists_one filter map has size startsWith endsWith contains lowerAscii upperAscii trim int double string like".split(
    " ",
  );

const allowed: ReadonlySet<string> = new Set(functionNames);

/** A type of objects, each an instance of a class of its own: CEL knows the type of an object by its constructor. */
export function objectTypeOf(name: string, fields: FieldTypes): ObjectType {
  // oxlint-disable-next-line typescript/no-extraneous-class -- CEL finds the type of an object by its class
  const constructedBy = class {
    constructor(values: object) {
      Object.assign(this, values);
    }
  };
  return { name, fields, constructedBy, make: (values) => new constructedBy(values) };
}

/** Compiles expressions about some types. */
export function expressionsOver({
  asset,
  below,
}: ExpressionTypes): (text: string) => Expression | ExpressionFault {
  const environment = new Environment({ limits });
  for (const { name, fields, constructedBy } of [...below, asset]) {
    environment.registerType(name, { ctor: constructedBy, fields });
  }
  environment.registerVariable("asset", asset.name);
  environment.registerFunction("like(string, string): bool", like);
  return (text) => compile(environment, text);
}

const matchers = new Map<string, (text: string) => boolean>();

function like(text: string, pattern: string): boolean {
  const matches = matchers.get(pattern) ?? matcherOf(pattern);
  // Patterns are few, unless an expression makes them.
  if (matchers.size < 1000) matchers.set(pattern, matches);
  return matches(text);
}

function compile(environment: Environment, text: string): Expression | ExpressionFault {
  if (text.length > longestExpression) {
    return { reason: `is longer than ${longestExpression} characters`, at: 0 };
  }
  try {
    const parsed = environment.parse(text);
    const nodes = nodesIn(parsed.ast);
    const refused = nodes.map(refusalOf).find((fault) => fault !== undefined);
    if (refused) return refused;
    const { valid, type, error } = parsed.check();
    if (!valid) return faultOf(error);
    if (type !== "bool") return { reason: `must be true or false, but is of type ${type}`, at: 0 };
    const meter = meterOf(nodes);
    return {
      text,
      fields: fieldsIn(nodes),
      evaluate: (entity) => evaluate(() => parsed({ asset: entity }) as unknown, meter),
    };
  } catch (error) {
    return faultOf(error);
  }
}

function evaluate(run: () => unknown, meter: Meter): Outcome {
  meter.left = mostSteps;
  try {
    const value = run();
    // CEL drops an error that does not decide, also that of a meter.
    if (meter.left < 0) return { unknown: tooLong };
    return typeof value === "boolean" ? { value } : { unknown: "the expression is neither true nor false" };
  } catch (error) {
    return { unknown: meter.left < 0 ? tooLong : `the expression failed: ${faultOf(error).reason}` };
  }
}

const tooLong = "the expression took too many steps";

function faultOf(error: unknown): ExpressionFault {
  const { summary, message, range } = error as Partial<ParseError>;
  const reason = summary ?? message ?? "is invalid";
  return { reason, at: range?.start ?? 0 };
}

/** All nodes of an expression. Its depth is limited by the parser. */
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

function refusalOf(node: ASTNode): ExpressionFault | undefined {
  if (node.op !== "call" && node.op !== "rcall") return undefined;
  const [name] = node.args;
  return allowed.has(name) ? undefined : { reason: `cannot call ${name}()`, at: node.start };
}

/** The names after a dot. Where the entity is used but for its fields, any may be used. */
function fieldsIn(nodes: readonly ASTNode[]): ReadonlySet<string> | undefined {
  const accesses = nodes.filter((node) => node.op === ".");
  const owners = new Set<ASTNode>(accesses.map((node) => node.args[0]));
  const isElsewhere = nodes.some((node) => node.op === "id" && node.args === "asset" && !owners.has(node));
  return isElsewhere ? undefined : new Set(accesses.map((node) => node.args[1]));
}

/** Counts the steps of one evaluation down; below zero it has been stopped. */
interface Meter {
  left: number;
}

type Evaluate = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Has each node count its evaluation and the size of its result. The library has no limit of that kind; it calls the property
 * `evaluate` of a node, and replaces it at the first call.
 */
function meterOf(nodes: readonly ASTNode[]): Meter {
  const meter: Meter = { left: mostSteps };
  for (const node of nodes) {
    let inner = (node as unknown as { readonly evaluate: Evaluate }).evaluate;
    const metered: Evaluate = function metered(...args) {
      spend(meter, 1);
      const result = inner.apply(node, args);
      spend(meter, sizeOf(result));
      return result;
    };
    Object.defineProperty(node, "evaluate", {
      get: () => metered,
      set: (replaced: Evaluate) => {
        inner = replaced;
      },
    });
  }
  return meter;
}

function spend(meter: Meter, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) throw new Error(tooLong);
}

function sizeOf(result: unknown): number {
  if (Array.isArray(result)) return result.length;
  return typeof result === "string" ? result.length >> 4 : 0;
}
