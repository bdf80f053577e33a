import { chmod, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import { RunError } from "../errors.ts";
import { type ExitCode, exitCodeOfPlan } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addPlanOptions } from "../options.ts";
import { type PlanOptions, withPlan } from "../plan-run.ts";
import { planAsJson, printPlan } from "../print.ts";
import { defaultDirectory } from "../repository.ts";

interface Options extends PlanOptions {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** `plan`: shows what apply would change. It gets a client that cannot write. */
export function planCommand(io: Io, done: (code: ExitCode) => void): Command {
  return addPlanOptions(new Command("plan"))
    .description("show what would change; changes nothing")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .option("--out <file>", "write the plan as JSON, too")
    .option("--detailed-exitcode", "exit with 2 when there are changes")
    .action(async (dir: string, options: Options) => {
      const { plan } = await withPlan(dir, options, false, io, async (planned) => planned);
      if (options.out !== undefined)
        await save(planAsJson(plan, io), options.out, options.quiet === true, io);
      printPlan(plan, options.format, io);
      done(exitCodeOfPlan(plan, options.detailedExitcode));
    });
}

async function save(text: string, file: string, quiet: boolean, io: Io): Promise<void> {
  try {
    const path = resolve(io.cwd, file);
    await writeFile(path, text, { mode: 0o600 });
    // The mode above is for a new file only.
    await chmod(path, 0o600);
  } catch (error) {
    throw new RunError(`the plan cannot be written to ${file}: ${(error as Error).message}`);
  }
  if (!quiet) io.stderr.write(`Plan written to ${file}\n`);
}
