import { Command } from "commander";
import { checkServer } from "../../datahub/client/server-config.ts";
import { createStoredAspectsReader } from "../../datahub/client/stored-aspects.ts";
import { canonicalJson } from "../../model/json.ts";
import { parseUrn } from "../../model/urn.ts";
import { RunError, UsageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addTargetOptions } from "../options/options.ts";
import { jsonText } from "../../library/render.ts";
import { openTarget, type TargetOptions } from "../options/target.ts";

interface Options extends TargetOptions {
  readonly urn: string;
  readonly aspect?: readonly string[];
}

/** `get`: prints what is stored under a URN. It gets a client that cannot write. */
export function getCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("get")
    .description("print what is stored under a URN, as JSON by aspect")
    .requiredOption("--urn <urn>", "the URN")
    .option("-a, --aspect <name>", "only this aspect (repeatable; default: all, and the key)", collect);
  return addTargetOptions(command).action(async (options: Options) => {
    await printStored(options, io);
    done(exitCodes.done);
  });
}

function collect(name: string, before: readonly string[] = []): readonly string[] {
  if (name.trim() === "") throw new UsageError("-a takes the name of an aspect");
  return [...before, name];
}

async function printStored(options: Options, io: Io): Promise<void> {
  const { urn, aspect: names } = options;
  const parsed = parseUrn(urn);
  if ("fault" in parsed)
    throw new UsageError(`${JSON.stringify(urn)} is no URN; one looks like urn:li:corpuser:alice@acme.com`);
  const target = await openTarget(options, { pinned: undefined, writes: false }, io);
  try {
    await checkServer(target.connection);
    const aspects = await createStoredAspectsReader(target.connection).read(urn, names);
    if (!aspects) throw new RunError(`${urn} is not in the catalog`);
    for (const name of new Set(names)) {
      if (!Object.hasOwn(aspects, name)) io.stderr.write(`${urn} has no aspect ${name}\n`);
    }
    io.stdout.write(jsonText(JSON.parse(canonicalJson(aspects))));
  } finally {
    await target.close();
  }
}
