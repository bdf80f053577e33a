/**
 * Whether a whole text is as a pattern says: `*` stands for any text, also none; all else stands for itself. It takes
 * time in proportion to the text, whatever the pattern: one with many stars is no trap, as it would be as a RegExp.
 */
export function matcherOf(pattern: string): (text: string) => boolean {
  const [first = "", ...middle] = pattern.split("*");
  const last = middle.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}
