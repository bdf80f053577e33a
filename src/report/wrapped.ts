import { displayWidth } from "./display-width.ts";

/**
 * A text wrapped at spaces to the width. Up to 60 characters in back quotes stay whole. Every line but the first is
 * indented.
 */
export function wrapped(text: string, width: number, indent = "    "): string {
  const lines: string[] = [];
  let line = "";
  for (const word of wordsIn(text)) {
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

function wordsIn(text: string): readonly string[] {
  const words = [...text.matchAll(/(?:`[^`]*`|[^\s`]|`)+/g)].map(([word]) => word);
  return words.flatMap((word) => (/`[^`]{61,}`/.test(word) ? word.trim().split(/\s+/) : [word]));
}
