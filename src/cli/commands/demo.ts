import { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";

/** `demo`: shows in a few seconds what this tool does, on a catalog of its own. */
export function demoCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("demo")
    .description("watch a repository change a catalog: a story on sample data, which leaves nothing behind")
    .action(async () => {
      // Loaded here because the sample is of no use to the other commands.
      const { playDemo } = await import("../demo/story.ts");
      await playDemo(io);
      done(exitCodes.done);
    });
}
