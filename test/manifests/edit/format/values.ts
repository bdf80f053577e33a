import fc from "fast-check";
import { kinds } from "../../../../src/kinds/index.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import { fieldOrder } from "../../../../src/manifests/edit/format/field-order.ts";
import { anyCharacter } from "../../../support/any-text.ts";

const pieces = [
  "a",
  "pii",
  "none",
  "no",
  "00123",
  "1e3",
  "0x1F",
  "12:30:45",
  "2024-01-01",
  "<<",
  "=",
  "~",
  "null",
  "#C0392B",
  ": ",
  " #",
  "- ",
  "? ",
  "---",
  "...",
  "%YAML 1.2",
  "&a",
  "*a",
  "!!str",
  "|",
  ">-",
  "[",
  "]",
  "{",
  "}",
  ",",
  "'",
  '"',
  "\\",
  "`",
  "@",
  " ",
  "  ",
  "\t",
  "\n",
  "\n\n",
  "\r",
  "\0",
  "\u0007",
  "\u007F",
  "\u0085",
  "\u00A0",
  "\u2028",
  "\uFEFF",
  "\uD800",
  "\u202E",
  "🦆",
  "👩‍💻",
  "Straße",
  "数据",
  "Everything between the shop window and the front door. ",
];

/** Texts of all kinds, most of them such as YAML could take for something else. */
const oddText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join("")),
  },
  { weight: 2, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.lorem({ mode: "sentences", maxCount: 5 }) },
);

const owner = fc.record({ user: oddText, type: oddText }, { requiredKeys: ["user"] });

/** What a field of a manifest may hold. */
const value = fc.oneof(
  oddText,
  fc.array(oddText, { maxLength: 4 }),
  fc.array(fc.oneof(oddText, owner), { maxLength: 3 }),
  fc.dictionary(oddText, fc.record({ tags: fc.array(oddText, { maxLength: 3 }) }), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
  fc.dictionary(oddText, oddText, { maxKeys: 3, noNullPrototype: true }),
  fc.integer(),
  fc.boolean(),
);

/** Manifests as plain data: fields that the kind knows, and others. */
const manifest: fc.Arbitrary<JsonObject> = fc.constantFrom(...kinds).chain((kind) =>
  fc
    .dictionary(fc.oneof(fc.constantFrom(...fieldOrder(kind).slice(1)), oddText), value, {
      maxKeys: 6,
      noNullPrototype: true,
    })
    .map((fields) => ({ ...fields, kind: kind.name })),
);

const pointers = ["/kind", "/domain", "/owners", "/owners/0", "/tags/1", "/columns", "/description", "/id"];

/** Manifests with comments at some places, whether there is something or not. */
export const plainManifest = fc.record({
  data: manifest,
  comments: fc.dictionary(fc.constantFrom(...pointers), oddText).map((each) => new Map(Object.entries(each))),
});
