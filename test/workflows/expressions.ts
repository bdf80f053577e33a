import { compileFunction } from "node:vm";

/** What expressions can ask for, by the name of the context: `github`, `inputs`, `steps`. */
export type Contexts = Readonly<Record<string, unknown>>;

const reference = /'(?:[^']|'')*'|\b(github|inputs|vars|secrets|steps|needs|runner)((?:\.[\w-]+)+)/g;

/** The value of an expression: apart from the names, GitHub's language is a part of JavaScript here. */
export function valueOf(expression: string, contexts: Contexts): unknown {
  const script = expression.replaceAll(reference, (text, name: string | undefined, path: string) =>
    name === undefined ? text : `value(${JSON.stringify([name, ...path.slice(1).split(".")])})`,
  );
  const known = {
    value: (path: readonly string[]) => lookUp(contexts, path),
    always: () => true,
    cancelled: () => false,
  };
  return compileFunction(`return ${script.trim()};`, Object.keys(known))(...Object.values(known));
}

// What is not set is the empty text there.
function lookUp(contexts: Contexts, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name] ?? "", contexts);
}

/** What YAML makes of a text that is not quoted. */
export type Written = string | number | boolean;

/** A text with the values of its expressions. */
export function textWith(text: Written, contexts: Contexts): string {
  return String(text).replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(valueOf(expression, contexts)),
  );
}

/** Texts with the values of their expressions. */
export function textsWith(
  texts: Readonly<Record<string, Written>> = {},
  contexts: Contexts,
): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, textWith(text, contexts)]));
}

/** Whether a step or job runs. Without a word on the status it does so only after success. */
export function isDue(condition: string | undefined, isFailed: boolean, contexts: Contexts): boolean {
  if (condition === undefined) return !isFailed;
  const expression = condition.replace(/^\$\{\{(.*)\}\}$/, "$1");
  return (
    (!isFailed || /\b(?:always|cancelled)\(\)/.test(expression)) && Boolean(valueOf(expression, contexts))
  );
}
