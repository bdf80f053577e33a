import type {
  DeclaredBy,
  DesiredValue,
  ExplainedFacet,
  LiveValue,
  ModeGiven,
} from "../../model/explanation.ts";
import type { Names } from "../../model/plan.ts";
import type { Paint } from "../paint.ts";
import { printable } from "../printable.ts";
import { keyOf, placeIn, placeOf, shown, writerText } from "./change-text.ts";

/** A value of either side. */
interface Row {
  readonly value: DesiredValue["value"];
  readonly desired: DesiredValue | undefined;
  readonly live: LiveValue | undefined;
}

/** A facet as text: its mode, and each value with who declares it and who put it into the catalog. Ends in a line break. */
export function explainedFacetText(facet: ExplainedFacet, names: Names, paint: Paint): string {
  const head = `${paint("bold", placeIn(facet))}: ${paint("dim", modeText(facet.mode))}`;
  const rows = rowsOf(facet).flatMap((row) => {
    const { mark, style, what } = fateOf(row, facet);
    const value = row.value === null ? "none" : shown(facet.facet, row.value, names);
    return [
      `  ${paint(style, `${mark} ${value}`)}`,
      ...detailsOf(row, what, names).map((line) => `      ${line}`),
    ];
  });
  const overruled = (facet.overruled ?? []).flatMap(({ value, declaredBy }) => [
    `    ${value === null ? "none" : shown(facet.facet, value, names)}`,
    ...declaredBy.map((by) => `      overruled: ${byText(by)}`),
  ]);
  return [head, ...rows, ...overruled].map((line) => `${line}\n`).join("");
}

function modeText(mode: ModeGiven | undefined): string {
  if (!mode) return "not declared, so it is left as it is";
  const { mode: name, from } = mode;
  if (from === "default") return `${name} (the default)`;
  if (from === "settings") return `${name} (from the settings)`;
  return mode.source ? `${name} (from ${byText(mode)})` : name;
}

function rowsOf({ desired = [], live }: ExplainedFacet): readonly Row[] {
  const byKey = new Map(live.map((each) => [keyOf(each.value), each]));
  const wanted = new Set(desired.map(({ value }) => keyOf(value)));
  return [
    ...desired.map((each) => ({ value: each.value, desired: each, live: byKey.get(keyOf(each.value)) })),
    ...live
      .filter(({ value }) => !wanted.has(keyOf(value)))
      .map((each) => ({ value: each.value, desired: undefined, live: each })),
  ];
}

interface Fate {
  readonly mark: string;
  readonly style: "add" | "remove" | "dim" | "bold";
  readonly what: string;
}

function fateOf({ value, desired, live }: Row, { change, desired: declared }: ExplainedFacet): Fate {
  const isIn = (list: readonly DesiredValue["value"][] | undefined): boolean =>
    (list ?? []).some((each) => keyOf(each) === keyOf(value));
  const held = change?.conflict ? "; in conflict, so the live value stays" : "";
  if (!change?.conflict && isIn(change?.add)) return { mark: "+", style: "add", what: "apply will add it" };
  if (!change?.conflict && isIn(change?.remove))
    return { mark: "-", style: "remove", what: "apply will remove it" };
  if (desired && live) return { mark: "=", style: "bold", what: "" };
  if (desired)
    return { mark: " ", style: "bold", what: value === null ? "" : `declared, not in the catalog${held}` };
  if (live?.ignored !== undefined) return { mark: " ", style: "dim", what: `ignored: ${live.ignored}` };
  return { mark: " ", style: "dim", what: declared ? `not declared, and stays${held}` : "" };
}

function detailsOf({ desired, live }: Row, what: string, names: Names): readonly string[] {
  const writer = live ? writerText(live, "set by", names) : "";
  return [
    ...(desired?.declaredBy ?? []).map((by) => `declared by ${byText(by)}`),
    ...(writer === "" ? [] : [`in the catalog: ${writer}`]),
    ...(what === "" ? [] : [printable(what)]),
  ];
}

/** Who declares something: a rule or a document, and the place. */
function byText({ rule, source }: DeclaredBy): string {
  const what = rule === undefined ? "" : `rule ${printable(rule)}`;
  const place = source ? placeOf(source) : "";
  if (what === "") return place === "" ? "a manifest" : place;
  return place === "" ? what : `${what}, ${place}`;
}
