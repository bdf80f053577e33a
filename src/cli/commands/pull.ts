import { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addScopeOptions, addTargetOptions, quietOption } from "../options/options.ts";
import { parseFacet } from "../options/names.ts";
import { withPlan } from "../run/plan-run.ts";
import { type PullOptions, pullPlanned } from "../run/pull-run.ts";

/** `pull`: writes live values into the manifests that declare others. Its client can only read. */
export function pullCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("pull")
    .argument("[dir]", catalogHelp)
    .option("--dry-run", "show the difference of each file, and write nothing");
  addTargetOptions(command);
  return addScopeOptions(command)
    .option("--facet <name>", "pull only this facet, such as tags or columns.tags (repeatable)", parseFacet)
    .optionsGroup("Output:")
    .addOption(quietOption())
    .option("--verbose", "log each step and its duration")
    .action(async (dir: string | undefined, options: PullOptions) => {
      // What is not in the catalog is named and left, so it does not keep the rest from being pulled.
      const asked = { ...options, format: "text", missing: "skip" } as const;
      const request = { dir: catalogFor(dir, options, io), options: asked, writes: false };
      done(await withPlan(request, io, (planned) => pullPlanned(planned, options, io)));
    });
}
