/** Creates HTML from templates, and escapes the values in them. */

/** Text that is already HTML and must not be escaped again. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Fills in an HTML template. Escapes values, except for markup and lists of markup. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  return new Markup(strings.reduce((before, part, index) => before + textOf(values[index - 1]) + part));
}

function textOf(value: unknown): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join("");
  return escaped(String(value));
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
