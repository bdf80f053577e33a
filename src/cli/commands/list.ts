/** Defines the command `list`, which prints the catalog entities that match the given filters. */

import { Command, Option } from "commander";
import type { Urn } from "../../model/urn.ts";
import { isDeclaredOf } from "../../plan/listing/filter.ts";
import type { ListFormat } from "../../report/format.ts";
import { listPrinters } from "../../report/printers.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { hasColor, type Io } from "../io.ts";
import { catalogHelp } from "../options/catalog.ts";
import { addExamples, type Examples } from "../options/examples.ts";
import { addFilterOptions, filterOf, type FilterOptions, leavesColumnsOut } from "../options/listing.ts";
import { addGroup, addTargetOptions, common, snapshotOption } from "../options/options.ts";
import { requireStdout } from "../output/lost-output.ts";
import { note } from "../output/messages.ts";
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

/** Defines the command, which uses a read-only client. */
export function listCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("list").argument("[dir]", catalogHelp);
  addFilterOptions(command);
  addGroup(command, "Server:", [snapshotOption()]);
  addTargetOptions(command);
  addGroup(command, "Scope:", [
    common.settings(),
    common.environmentOfSettings(),
    new Option(
      "--columns",
      "list columns instead of entities; fields that columns do not have, such as owners, are taken from the dataset",
    ),
    new Option("--planned", "list entities as they will be after apply"),
  ]);
  addGroup(command, "Output:", [common.listFormat(), common.pager(), common.quiet()]);
  addExamples(command, examples);
  return command.action(async (dir: string | undefined, options: Options) => {
    const filterFor: ListRequest["filterFor"] = (policies) => filterOf(options, policies);
    const request = {
      dir,
      environment: options.environment,
      environmentFlag: "--environment",
      options,
      filterFor,
      isPlanned: options.planned,
    };
    const { kept, unreadable } = await withListing(request, io, (listing) =>
      writeListing(listing, options, io),
    );
    await print(() => kept, options, io);
    refuseUnread(unreadable, "the list", io);
    done(exitCodes.done);
  });
}

const examples: Examples = [
  ["List entities without an owner", "list --missing owners"],
  ["List all entities that have an owner", "list --owner '*'"],
  ["List pii columns in datasets without a domain", "list --columns --tag pii --missing domain"],
  ["List all snowflake datasets for a spreadsheet", "list --platform snowflake --format csv"],
];

interface ReadList {
  /** The parts of the list that have not been written yet. */
  readonly kept: readonly string[];
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/**
 * Writes a list while reading it, and stops early if stdout is closed. On a terminal, returns the text instead, because a
 * progress line is shown during reading.
 */
async function writeListing(
  { target, batches, namesOf }: Listing,
  options: Options,
  io: Io,
): Promise<ReadList> {
  const { stdout } = io;
  const { format, columns } = options;
  const kept: string[] = [];
  const write = (text: string): void => void (stdout.isTTY ? kept.push(text) : stdout.write(text));
  const printer = listPrinters[format]({ color: hasColor(stdout, io.env), byColumn: columns });
  const unreadable = new Map<Urn, string>();
  const kinds = new Map<string, number>();
  let [entities, declared] = [0, 0];
  write(printer.head(target));
  for await (const batch of batches) {
    const names = format === "text" ? await namesOf(batch.entities) : {};
    write(batch.entities.map((entity) => printer.entity(entity, names)).join(""));
    entities += batch.entities.length;
    declared += batch.entities.filter(isDeclaredOf).length;
    for (const { kind } of batch.entities) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    for (const [urn, reason] of batch.unreadable) unreadable.set(urn, reason);
    await stdout.flush();
    requireStdout("the list is incomplete", io);
    if (stdout.loss()) return { kept, unreadable };
  }
  write(printer.end({ entities, declared, kinds, unreadable }));
  if (entities === 0 && leavesColumnsOut(options) && options.quiet !== true)
    note("Columns were not searched; add --columns to search them.", io);
  return { kept, unreadable };
}
