/** Defines the hidden command `complete`, which prints ids from the current manifests for completion scripts. */

import { Argument, Command } from "commander";
import { idsInManifests, idTypes, type IdType } from "../completion/ids.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";

/** Defines the command. The `completion` scripts run it to complete ids. */
export function completeCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("complete")
    .addArgument(new Argument("<type>", "type of ids").choices(idTypes))
    .action(async (of: IdType) => {
      const ids = await idsInManifests(of, io);
      // The scripts read one id per line. Ids with control characters are skipped, because they could manipulate the terminal.
      for (const id of ids.filter((each) => !/\p{Cc}/u.test(each))) io.stdout.write(`${id}\n`);
      done(exitCodes.done);
    });
}
