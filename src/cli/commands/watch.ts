/** Defines the command `watch`, which runs `drift` or `apply --auto-approve` at regular intervals. */

import { Command, InvalidArgumentError, Option } from "commander";
import { durationOf } from "../../model/text/duration.ts";
import type { ExplanationFormat } from "../../report/format.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { choiceOption } from "../options/names.ts";
import { numberParser } from "../options/number.ts";
import { addGroup, addTargetOptions, common } from "../options/options.ts";
import type { PlanOptions } from "../run/plan-run.ts";
import type { Address } from "../watch/listener.ts";
import { type Mode, roundModes } from "../watch/round.ts";
import { watch } from "../watch/watch-run.ts";

interface Options extends Omit<PlanOptions, "format" | "pager"> {
  readonly every: number;
  readonly rounds?: number;
  readonly mode: Mode;
  readonly pull?: true;
  readonly listen: Address | false;
  readonly format: ExplanationFormat;
}

/** Defines the command. In `drift` mode, it uses a read-only client. */
export function watchCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("watch").argument("[dir]", catalogHelp);
  addGroup(command, "Rounds:", [
    choiceOption(
      "--mode <mode>",
      "report drift, or correct it as apply --auto-approve does",
      roundModes,
    ).default("drift"),
    everyOption(),
    new Option("--rounds <n>", "stop after n rounds (default: run until interrupted)").argParser(
      numberParser(/^[1-9]\d{0,8}$/, "It must be a whole number greater than 0."),
    ),
    new Option("--pull", "fast-forward the current branch to its upstream before each round"),
    listenOption(),
    new Option("--no-listen", "do not serve /healthz, /readyz and /metrics"),
  ]);
  addTargetOptions(command);
  addGroup(command, "Scope:", [common.settings(), common.environment(), common.base()]);
  addGroup(command, "Output:", [
    common.shortFormat(),
    common.quiet(),
    new Option("--verbose", "print the output of drift or apply to stderr, with each step and its duration"),
  ]);
  addExamples(command, [
    ["Report drift every 15 minutes", "watch"],
    ["Correct drift every hour", "watch --mode correct --every 1h"],
    ["Run one round, for example from a cron job", "watch --rounds 1 --no-listen"],
  ]);
  return command.action(async (given: string | undefined, options: Options) => {
    const { every, rounds, mode, pull = false, listen, format, ...shared } = options;
    const dir = catalogFor(given, options, io);
    const round = { dir, mode, pull, options: { ...shared, format: "text", pager: false } } as const;
    done(await watch({ ...round, format, every, rounds, listen: listen || undefined }, io));
  });
}

function everyOption(): Option {
  return new Option("--every <duration>", "interval between the starts of consecutive rounds")
    .argParser(parseDuration)
    .default(parseDuration("15m"), "15m");
}

function listenOption(): Option {
  return new Option("--listen <address>", "address to serve /healthz, /readyz and /metrics on")
    .argParser(parseAddress)
    .default(parseAddress("127.0.0.1:9464"), "127.0.0.1:9464");
}

/** The maximum interval in milliseconds: one week. Node.js timers cannot wait longer than 2^31 ms (about 25 days). */
const maxInterval = 168 * 3_600_000;

function parseDuration(text: string): number {
  const duration = /^\d{1,6}[smh]$/.test(text) ? durationOf(text) : Number.NaN;
  if (duration <= maxInterval) return duration;
  throw new InvalidArgumentError("Use a duration up to 168h, such as 0s, 90s, 15m or 24h.");
}

function parseAddress(text: string): Address {
  const [, ipv6, name = "", digits = ""] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const [host, port] = [ipv6 ?? name, Number(digits)];
  if (host !== "" && port <= 65_535) return { host, port };
  throw new InvalidArgumentError("Use a host and a port, such as 127.0.0.1:9464 or 0.0.0.0:9464.");
}
