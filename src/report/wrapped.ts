import { displayWidth } from "./display-width.ts";

/** A text wrapped at spaces to the width. Text in back quotes stays whole. Every line but the first is indented. */
export function wrapped(text: string, width: number, indent = "    "): string {
  const lines: string[] = [];
  let line = "";
  for (const [word] of text.matchAll(/(?:`[^`]{0,60}`|[^\s`]|`)+/g)) {
    const fits = line === "" || displayWidth(line) + 1 + displayWidth(word) <= width;
    if (fits) {
      line = line === "" ? word : `${line} ${word}`;
      continue;
    }
    lines.push(line);
    line = indent + word;
  }
  return [...lines, line].join("\n");
}
