import { textSchema } from "../kinds/kind.ts";
import { fieldFacet } from "./field.ts";

/** The colour of a tag. */
export const colorHex = fieldFacet({
  name: "color_hex",
  places: { Tag: ["tagProperties", "colorHex"] },
  schema: { ...textSchema, description: 'Its colour, `"#C0392B"` say (quoted: `#` begins a comment).' },
});
