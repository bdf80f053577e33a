/** Prints the beginning and the end that all pages share, including the content security policy. */

import { scriptHash, style, styleHash } from "./assets.ts";
import { html } from "./markup.ts";

const policy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src '${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Prints the beginning of a page. The content security policy allows only the page's own script and style, and no requests. */
export function headOf(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${html`<title>${title}</title>`.text}
<style>${style}</style>
</head>
<body>
`;
}

/** The end of a page. */
export const end = "</body>\n</html>\n";
