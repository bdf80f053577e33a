import { Scalar, stringify, type ToStringOptions } from "yaml";
import { isJsonObject, type Json } from "../../model/json.ts";
import { plainValue } from "../yaml/yaml-core-schema.ts";

/** How a value is to be written. */
export interface Style {
  /** The quotes, or the kind of block, that stood there before. */
  readonly type?: Scalar.Type | undefined;
  /** Whether only one line is free for it. */
  readonly isOneLine: boolean;
  /** Whether it stands in brackets or braces, where a comma ends it. */
  readonly inFlow?: boolean | undefined;
}

type Single = string | number | boolean;

/** A single value of a mapping. Lines after the first are indented as if the key stood at the start of its line. */
export function scalarText(value: Single, { type, isOneLine, inFlow }: Style): string {
  const scalar = new Scalar(value);
  const style = styleOf(value, type, isOneLine);
  if (style) scalar.type = style;
  const options = {
    lineWidth: style === Scalar.BLOCK_FOLDED ? 80 : 0,
    ...(isOneLine && { doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }),
  };
  if (inFlow === true) return inBrackets(scalar, options);
  return stringify({ k: scalar }, options).slice("k:".length).replace(/^ /, "").replace(/\n$/, "");
}

/** An element of a list in block style, without the dash. Lines after the first are indented by two. */
export function elementText(element: Json, { isFlow, ...style }: ElementStyle): string {
  if (isJsonObject(element) && !isFlow) return stringify([element], { lineWidth: 0 }).slice(2).trimEnd();
  return typeof element === "string"
    ? scalarText(element, { type: style.type, isOneLine: true })
    : flowElementText(element, style);
}

/** How an element of a list is to be written: as the others are. */
export interface ElementStyle {
  readonly type?: Scalar.Type | undefined;
  /** Whether a mapping stands in braces, and whether they have spaces within. */
  readonly isFlow: boolean;
  readonly isPadded: boolean;
}

/** An element of a list on one line. */
export function flowElementText(element: Json, style: Omit<ElementStyle, "isFlow">): string {
  if (typeof element === "string")
    return scalarText(element, { type: style.type, isOneLine: true, inFlow: true });
  return stringify(element, {
    collectionStyle: "flow",
    flowCollectionPadding: style.isPadded,
    lineWidth: 0,
  }).trimEnd();
}

function inBrackets(scalar: Scalar, options: ToStringOptions): string {
  const brackets = { collectionStyle: "flow", flowCollectionPadding: false } as const;
  return stringify([scalar], { ...options, ...brackets })
    .trimEnd()
    .slice(1, -1);
}

// Without quotes `none` means something else, and so does what our reader takes for no text.
function styleOf(value: Single, type: Scalar.Type | undefined, isOneLine: boolean): Scalar.Type | undefined {
  if (typeof value !== "string") return undefined;
  const isBlock = type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL;
  const wanted = isBlock && (isOneLine || !value.includes("\n")) ? undefined : type;
  if (isOneLine && value.includes("\n")) return Scalar.QUOTE_DOUBLE;
  if (wanted !== undefined && wanted !== Scalar.PLAIN) return wanted;
  if (value === "none" || typeof plainValue(value) !== "string") return Scalar.QUOTE_DOUBLE;
  return value.includes("\n") ? undefined : Scalar.PLAIN;
}
