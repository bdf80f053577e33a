/** Defines the flags for guards, and applies their values to the limits in the settings. */

import { type Command, InvalidArgumentError, Option } from "commander";
import type { LimitsByGuard } from "../../model/settings.ts";
import type { GuardFlag } from "../../plan/checks/guards/guard.ts";
import { guards, type Limits, limitsFrom } from "../../plan/checks/guards/index.ts";

/** A limit: its name in the settings, and its value. */
type SetLimit = readonly [name: string, value: number];

/** Adds the flags for all guards, as a separate group in the help. */
export function addLimitOptions(command: Command): Command {
  command.optionsGroup("Guards:");
  for (const { flag } of guards) command.addOption(optionOf(flag));
  return command;
}

/** Returns the limits from the settings, overridden by flags. */
export function limitsWith(limits: LimitsByGuard, options: object): Limits {
  const entries = guards.map(({ name, flag }) => {
    const given: readonly SetLimit[] = Reflect.get(options, optionOf(flag).attributeName()) ?? [];
    return [name, { ...limits[name], ...Object.fromEntries(given) }] as const;
  });
  return limitsFrom(Object.fromEntries(entries));
}

function optionOf(flag: GuardFlag): Option {
  const parse = (text: string, before: readonly SetLimit[] = []): readonly SetLimit[] => [
    ...before,
    limitIn(text, flag.sets),
  ];
  return new Option(`${flag.name} ${flag.argument}`, flag.description).argParser(parse);
}

/** Parses a count such as `20` or a percentage such as `50%`, if the flag accepts it. */
function limitIn(text: string, { count, percent }: GuardFlag["sets"]): SetLimit {
  if (percent !== undefined && /^\d{1,3}%$/.test(text) && Number.parseInt(text, 10) <= 100) {
    return [percent, Number.parseInt(text, 10)];
  }
  if (count !== undefined && /^\d{1,15}$/.test(text)) return [count, Number(text)];
  throw new InvalidArgumentError(expected(count, percent));
}

function expected(count: string | undefined, percent: string | undefined): string {
  if (percent === undefined) return "Use a whole number, such as 20.";
  if (count === undefined) return "Use a percentage from 0% to 100%, such as 50%.";
  return "Use a whole number, such as 20, or a percentage from 0% to 100%, such as 50%.";
}
