import type { Json } from "../model/json.ts";
import { malformed } from "./refusal.ts";

/** How deep JSON may be nested: the limit of Jackson, which reads it in DataHub (StreamReadConstraints.java). */
const maxDepth = 1_000;

/**
 * Parses JSON that a client has sent.
 * @throws Refusal when it is none, or nested too deep; `what` names it in the message.
 */
export function parseJson(text: string, what: string): Json {
  if (isTooDeep(text)) throw malformed(`${what} is nested deeper than ${maxDepth} levels`);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw malformed(`${what} is no JSON: ${(error as Error).message}`);
  }
}

const brackets = /"(?:[^"\\]|\\.)*"|[[{\]}]/gs;

function isTooDeep(text: string): boolean {
  // Most texts have not even as many brackets.
  if (text.length <= maxDepth) return false;
  let depth = 0;
  for (const [token] of text.matchAll(brackets)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}
