/**
 * Defines the command `demo`, which runs a demonstration with a temporary catalog, or only loads the sample data into a local
 * catalog.
 */

import { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addExamples } from "../options/examples.ts";

/** Defines the command, which passes its exit code to `done`. */
export function demoCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("demo").option(
    "--fill <dir>",
    "load the sample data into the local catalog in this directory, without running the demo",
  );
  return addExamples(command, [
    ["Run the demonstration", "demo"],
    ["Explore the sample data yourself", "demo --fill .datahub-gitops/catalog", "serve"],
  ]).action(async ({ fill }: { readonly fill?: string }) => {
    // Imported on demand, because no other command needs this code.
    if (fill === undefined) await (await import("../demo/story.ts")).playDemo(io);
    else await (await import("../demo/demo-catalog.ts")).fillWithSample(fill, io);
    done(exitCodes.done);
  });
}
