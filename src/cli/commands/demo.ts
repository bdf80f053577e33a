import { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";

/** `demo`: shows in a few seconds what this tool does, on a catalog of its own; or leaves its sample in a catalog. */
export function demoCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("demo")
    .description("watch a repository change a catalog: a story on sample data, which leaves nothing behind")
    .option("--fill <dir>", "tell no story: put the sample into the data directory of a local catalog")
    .action(async ({ fill }: { readonly fill?: string }) => {
      // Loaded here because the sample is of no use to the other commands.
      if (fill === undefined) await (await import("../demo/story.ts")).playDemo(io);
      else await (await import("../demo/sample-catalog.ts")).fillWithSample(fill, io);
      done(exitCodes.done);
    });
}
