/** Resolves plain and tagged scalars according to the YAML 1.2 core schema. */

const core: readonly (readonly [string, RegExp, (text: string) => string | number | boolean | null])[] = [
  ["null", /^(?:~|null|Null|NULL)?$/, () => null],
  ["bool", /^(?:true|True|TRUE|false|False|FALSE)$/, (text) => /^[tT]/.test(text)],
  ["int", /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/, Number],
  ["float", /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/, Number],
  // JSON has no infinity, so infinity is read as NaN, which no schema accepts.
  ["float", /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/, () => Number.NaN],
];

/** Returns the value of a plain scalar (YAML 1.2, section 10.3.2). */
export function plainValue(text: string): string | number | boolean | null {
  if (text !== "" && !/^[-+.~0-9nNtTfF]/.test(text)) return text;
  const found = core.find(([, pattern]) => pattern.test(text));
  return found ? found[2](text) : text;
}

/** Returns the value of a scalar with an explicit core tag; `undefined` if the scalar is not valid for the tag. */
export function taggedValue(tag: string, text: string): string | number | boolean | null | undefined {
  const type = tag.replace("tag:yaml.org,2002:", "");
  const matching = core.filter(([name]) => name === type || (type === "float" && name === "int"));
  if (matching.length === 0) return text;
  return matching.find(([, pattern]) => pattern.test(text))?.[2](text);
}
