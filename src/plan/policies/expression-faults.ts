/** Checks calls in expressions, explains why an expression is invalid or why its evaluation failed, and suggests a fix. */

import type { ASTNode, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import { nearestSpelling } from "../../model/text/suggestion.ts";

/** An error in an expression, and its character offset. */
export interface ExpressionFault {
  readonly reason: string;
  readonly at: number;
}

/** The fields of each object type, with their types in CEL notation. */
export type FieldsByType = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The CEL functions that an expression may call. Functions that use regular expressions, clocks or time zones are excluded. */
export const functionNames: readonly string[] =
  "all exists exists_one filter map has size startsWith endsWith contains lowerAscii upperAscii trim int double string like".split(
    " ",
  );

const allowed: ReadonlySet<string> = new Set(functionNames);

/** Converts an error from the CEL library into an `ExpressionFault`. Suggests the text that was probably intended. */
export function faultOf(error: unknown, text = "", types: FieldsByType = new Map()): ExpressionFault {
  const { summary, message, range, code } = error as Partial<ParseError>;
  const { node } = error as Partial<EvaluationError>;
  const reason = summary ?? message ?? "it is invalid";
  const at = range?.start ?? 0;
  if (text[at] === "=" && code === "unexpected_character")
    return { reason: `${reason}; use \`==\` for equality`, at };
  return { reason: withMeant(reason, meantBy(code, node, types)), at };
}

function withMeant(reason: string, meant: string | undefined): string {
  return meant === undefined ? reason : `${reason}; did you mean \`${meant}\`?`;
}

function meantBy(
  code: string | undefined,
  node: ASTNode | undefined,
  types: FieldsByType,
): string | undefined {
  if (code === "no_such_key" && node?.op === ".")
    return nearestSpelling(node.args[1], Object.keys(fieldsOf(node.args[0], types) ?? {}));
  if (code !== "unknown_variable" || node?.op !== "id") return undefined;
  const field = nearestSpelling(node.args, Object.keys(types.get(entityType) ?? {}));
  return field === undefined ? undefined : `asset.${field}`;
}

/** The name of the CEL type of `asset`. */
const entityType = "Asset";

/** Returns the type of a node's value, if it is known. */
function typeOf(node: ASTNode, types: FieldsByType): string | undefined {
  const { checkedType } = node as { readonly checkedType?: { readonly name?: string } };
  if (checkedType?.name !== undefined) return checkedType.name;
  if (node.op === "id") return node.args === "asset" ? entityType : undefined;
  return node.op === "." ? fieldsOf(node.args[0], types)?.[node.args[1]] : undefined;
}

function fieldsOf(node: ASTNode, types: FieldsByType): Readonly<Record<string, string>> | undefined {
  return types.get(typeOf(node, types) ?? "");
}

/** Returns an error if a node calls a function that is not allowed. */
export function callFault(node: ASTNode): ExpressionFault | undefined {
  if (node.op !== "call" && node.op !== "rcall") return undefined;
  const [name] = node.args;
  if (allowed.has(name)) return undefined;
  return { reason: withMeant(`cannot call ${name}()`, nearestSpelling(name, functionNames)), at: node.start };
}

/**
 * Returns an error for `has()` on a field that always exists or that is unknown, because the library reports neither. A field
 * exists even if it is unset.
 */
export function hasFault(node: ASTNode, text: string, types: FieldsByType): ExpressionFault | undefined {
  if (node.op !== "call" || node.args[0] !== "has") return undefined;
  const [argument] = node.args[1];
  if (argument?.op !== ".") return undefined;
  const [of, name] = argument.args;
  const fields = fieldsOf(of, types);
  if (!fields) return undefined;
  const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (type === undefined) {
    const reason = withMeant(`No such key: ${name}`, nearestSpelling(name, Object.keys(fields)));
    return { reason, at: argument.end - name.length };
  }
  const access = text.slice(argument.start, argument.end);
  return {
    reason: `${access} always exists, even if it is not set; instead of \`has()\`, write \`${isSet(access, type)}\``,
    at: node.start,
  };
}

function isSet(access: string, type: string): string {
  if (type === "string") return `${access} != ""`;
  return type === "bool" ? access : `size(${access}) > 0`;
}

/** Returns the reason why an evaluation failed and, if possible, a condition that prevents the failure. */
export function failureOf(error: unknown, text: string): string {
  const { code, node } = error as Partial<EvaluationError>;
  const { reason } = faultOf(error);
  if (!node || (node.op !== "[]" && node.op !== ".")) return reason;
  const sourceOf = ({ start, end }: ASTNode): string => text.slice(start, end);
  const [of, key] = node.args;
  if (code === "index_out_of_bounds" && typeof key !== "string") {
    const [list, index] = [sourceOf(of), sourceOf(key)];
    return `${list} has no element ${index}; write \`size(${list}) > ${index} && …\``;
  }
  if (code !== "no_such_key") return reason;
  const condition =
    typeof key === "string" ? `has(${sourceOf(node)})` : `${sourceOf(key)} in ${sourceOf(of)}`;
  return `${reason}; write \`${condition} && …\``;
}
