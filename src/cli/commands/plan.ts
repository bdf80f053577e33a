/** Defines the command `plan`, which shows what `apply` would change. */

import { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { addPlanOptions, common, snapshotOption } from "../options/options.ts";
import { shardOption } from "../options/scope.ts";
import { makePlan } from "../run/make-plan.ts";
import type { PlanOptions } from "../run/plan-run.ts";
import { type ShownPlan, showPlan } from "../output/show-plan.ts";

interface Options extends PlanOptions, ShownPlan {
  readonly snapshot?: string;
}

/** Defines the command, which uses a read-only client. */
export function planCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("plan")
    .argument("[dir]", catalogHelp)
    .addOption(common.out())
    .addOption(common.exitCode())
    .addOption(common.open())
    .addOption(shardOption())
    .addOption(snapshotOption());
  addExamples(addPlanOptions(command), [
    ["Show what would change", "plan"],
    ["Show what this branch would change", "plan --changed-since main"],
    ["Save the plan, and apply exactly that plan", "plan --out plan.json", "apply plan.json"],
    ["Save the plan as HTML, and as JSON for github comment", "plan --report plan.html --report plan.json"],
  ]);
  return command.action(async (dir: string | undefined, options: Options) => {
    const request = { dir: catalogFor(dir, options, io), options, writes: false };
    done(await showPlan(await makePlan(request, io, options.snapshot), options, io));
  });
}
