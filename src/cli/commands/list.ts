import { Command, Option } from "commander";
import type { Urn } from "../../model/urn.ts";
import { isDeclaredOf } from "../../plan/listing/filter.ts";
import type { ListFormat } from "../../report/format.ts";
import { listPrinters } from "../../report/printers.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { hasColor, type Io } from "../io.ts";
import { catalogHelp } from "../options/catalog.ts";
import { addFilterOptions, filterOf, type FilterOptions } from "../options/listing.ts";
import { addGroup, addTargetOptions, common, snapshotOption } from "../options/options.ts";
import { requireStdout } from "../output/lost-output.ts";
import { print } from "../output/print.ts";
import {
  type Listing,
  type ListingOptions,
  type ListRequest,
  refuseUnread,
  withListing,
} from "../run/list-run.ts";

interface Options extends ListingOptions, FilterOptions {
  readonly format: ListFormat;
  readonly environment?: string;
  readonly planned?: true;
  readonly columns?: true;
}

/** `list`: prints entities of the catalog. Its client can only read. */
export function listCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("list").argument("[dir]", catalogHelp);
  addFilterOptions(command);
  addGroup(command, "Server:", [snapshotOption("list what a snapshot has, without a server")]);
  addTargetOptions(command);
  addGroup(command, "Scope:", [
    common.settings(),
    common.environmentOfSettings(),
    new Option("--columns", "list columns, and filter them by what they have themselves"),
    new Option("--planned", "list entities as they will be when the manifests are applied"),
  ]);
  addGroup(command, "Output:", [common.listFormat(), common.pager(), common.quiet()]);
  return command.action(async (dir: string | undefined, options: Options) => {
    const filterFor: ListRequest["filterFor"] = (policies) => filterOf(options, policies);
    const request = { dir, environment: options.environment, options, filterFor, isPlanned: options.planned };
    const { kept, unreadable } = await withListing(request, io, (listing) =>
      writeListing(listing, options, io),
    );
    await print(() => kept, options, io);
    refuseUnread(unreadable, "the list", io);
    done(exitCodes.done);
  });
}

/** A list that was read. */
interface ReadList {
  /** Its parts where they were not written yet. */
  readonly kept: readonly string[];
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/** Writes a list as it is read, and ends where nobody takes it any more. For a terminal, which shows progress, it is kept. */
async function writeListing(
  { target, batches, namesOf }: Listing,
  { format, columns }: Options,
  io: Io,
): Promise<ReadList> {
  const { stdout } = io;
  const kept: string[] = [];
  const write = (text: string): void => void (stdout.isTTY ? kept.push(text) : stdout.write(text));
  const printer = listPrinters[format]({ color: hasColor(stdout, io.env), byColumn: columns });
  const unreadable = new Map<Urn, string>();
  let [entities, declared] = [0, 0];
  write(printer.head({ target }));
  for await (const batch of batches) {
    const names = format === "text" ? await namesOf(batch.entities) : {};
    write(batch.entities.map((entity) => printer.entity(entity, names)).join(""));
    entities += batch.entities.length;
    declared += batch.entities.filter(isDeclaredOf).length;
    for (const [urn, reason] of batch.unreadable) unreadable.set(urn, reason);
    await stdout.flush();
    requireStdout("the list is not complete", io);
    if (stdout.loss()) return { kept, unreadable };
  }
  write(printer.end({ entities, declared, unreadable }));
  return { kept, unreadable };
}
