/** Defines the command `plan`, which shows what `apply` would change. */

import { Command } from "commander";
import type { Plan } from "../../model/plan.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addPlanOptions, common, snapshotOption } from "../options/options.ts";
import { shardOption } from "../options/scope.ts";
import { type PlanOptions, withPlan } from "../run/plan-run.ts";
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
    .addOption(shardOption("plan only one of n shards of the catalog, for merge-plans"))
    .addOption(snapshotOption("compare with a live state saved by export --snapshot, without a server"));
  return addPlanOptions(command).action(async (dir: string | undefined, options: Options) => {
    done(await showPlan(await makePlan(catalogFor(dir, options, io), options, io), options, io));
  });
}

async function makePlan(dir: string, options: Options, io: Io): Promise<Plan> {
  const request = { dir, options, writes: false };
  if (options.snapshot !== undefined) {
    const { planOfSnapshot } = await import("../run/snapshot.ts");
    return await planOfSnapshot(options.snapshot, request, io);
  }
  return await withPlan(request, io, async ({ plan }) => plan);
}
