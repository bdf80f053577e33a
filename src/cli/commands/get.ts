/** Defines the command `get`, which prints an entity's stored aspects as JSON. */

import { Command } from "commander";
import { checkServer } from "../../datahub/server-config.ts";
import { readStoredAspects } from "../../datahub/stored-aspects.ts";
import { canonicalJson } from "../../model/json.ts";
import { parseUrn } from "../../model/urn.ts";
import { RunError, UsageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addExamples } from "../options/examples.ts";
import { addTargetOptions } from "../options/options.ts";
import { jsonText } from "../../report/json/pieces.ts";
import { note } from "../output/messages.ts";
import { type TargetOptions, withTarget } from "../options/target.ts";

interface Options extends TargetOptions {
  readonly urn: string;
  readonly aspect?: readonly string[];
}

/** Defines the command, which uses a read-only client. */
export function getCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("get")
    .requiredOption("--urn <urn>", "URN of the entity")
    .option("-a, --aspect <name>", "only this aspect (repeatable; default: all aspects)", collect);
  addExamples(addTargetOptions(command), [
    ["Print all aspects", "get --urn urn:li:tag:pii"],
    ["Print one aspect", "get --urn urn:li:tag:pii -a tagProperties"],
  ]);
  return command.action(async (options: Options) => {
    await printStored(options, io);
    done(exitCodes.done);
  });
}

function collect(name: string, before: readonly string[] = []): readonly string[] {
  if (name.trim() === "") throw new UsageError("-a needs an aspect name");
  return [...before, name];
}

async function printStored(options: Options, io: Io): Promise<void> {
  const { urn, aspect: names } = options;
  const parsed = parseUrn(urn);
  if ("fault" in parsed)
    throw new UsageError(
      `${JSON.stringify(urn)} is not a valid URN; use a URN such as urn:li:corpuser:alice@acme.com`,
    );
  await withTarget(options, { writes: false }, io, async ({ connection }) => {
    await checkServer(connection, io.interrupted);
    const aspects = await readStoredAspects(connection, urn, names, io.interrupted);
    if (!aspects) throw new RunError(`${urn} is not in the catalog`, "not-found");
    for (const name of new Set(names)) {
      if (!Object.hasOwn(aspects, name)) note(`${urn} has no aspect ${name}`, io);
    }
    io.stdout.write(jsonText(JSON.parse(canonicalJson(aspects))));
  });
}
