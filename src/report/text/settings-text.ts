import type { Plan, SettingChange } from "../../model/plan.ts";
import type { Paint } from "../paint.ts";
import { printable } from "../printable.ts";

/** What a plan says first where the settings have changed. */
export const settingsHead =
  "The settings have changed, so every entity is planned, and the stricter limits apply";

/** The settings that have changed, a line each. Empty if none has. */
export function settingsText({ settingsChanges = [] }: Plan, paint: Paint): string {
  if (settingsChanges.length === 0) return "";
  const lines = settingsChanges.map((change) => {
    const [mark, style] = markOf(change);
    return `  ${paint(style, mark)} ${settingLine(change)}\n`;
  });
  return `${settingsHead}:\n${lines.join("")}`;
}

/** A setting before and after, on one line. */
export function settingLine({ key, before, after }: SettingChange): string {
  return printable(`${key}: ${[before, after].filter((value) => value !== null).join(" → ")}`);
}

/** The mark of a changed setting, and its style. */
export function markOf({
  before,
  after,
}: SettingChange): readonly ["+" | "-" | "~", "add" | "remove" | "change"] {
  if (before === null) return ["+", "add"];
  return after === null ? ["-", "remove"] : ["~", "change"];
}
