import { nonEmptyString } from "../model/identifier.ts";
import { textOf } from "../model/json.ts";
import { fieldFacet } from "./field.ts";

/** The colour of a tag. DataHub stores any text; its UI can draw only these. */
export const colorHex = fieldFacet({
  name: "color_hex",
  schema: {
    ...nonEmptyString,
    description: "Its colour, in quotes because `#` begins a comment; `none` for no colour.",
    examples: ["#C0392B"],
  },
  parse: (written) => {
    const text = textOf(written);
    if (/^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/.test(text))
      return { value: text, references: [] };
    return { refusal: { code: "malformed-colour", args: { text }, at: [] } };
  },
});
