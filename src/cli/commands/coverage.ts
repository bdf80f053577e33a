/** Defines the command `coverage`, which counts the assets that have values and the assets that are declared in manifests. */

import { Command, Option } from "commander";
import { assetKinds } from "../../kinds/index.ts";
import type { Urn } from "../../model/urn.ts";
import { countRestricted, isRestricted } from "../../model/restricted.ts";
import type { Coverage } from "../../model/listing.ts";
import { comparedCoverage, countCoverage, groupingNames } from "../../plan/listing/coverage.ts";
import { coveragePrinters } from "../../report/printers.ts";
import { InputError } from "../errors.ts";
import { createdAt } from "../created-at.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { hasColor, type Io } from "../io.ts";
import { catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { choiceOption } from "../options/names.ts";
import { addGroup, addTargetOptions, common, snapshotOption } from "../options/options.ts";
import { print } from "../output/print.ts";
import { type ListingOptions, type ListRequest, refuseUnread, withListing } from "../run/list-run.ts";
import { readText, parsedOrThrow } from "../run/saved-file.ts";

interface Options extends ListingOptions {
  readonly env?: string;
  readonly environment?: string;
  readonly by: string;
  readonly base?: string;
}

/** Defines the command, which uses a read-only client. */
export function coverageCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("coverage").argument("[dir]", catalogHelp);
  addGroup(command, "Server:", [snapshotOption()]);
  addTargetOptions(command);
  addGroup(command, "Scope:", [
    common.settings(),
    common.environment(),
    // Kept for compatibility with earlier versions, which used this option name.
    common.environmentOfSettings().hideHelp(),
  ]);
  addGroup(command, "Output:", [
    choiceOption("--by <group>", "how to group assets", groupingNames).default("kind"),
    new Option("--base <file>", "show changes since an earlier result that was saved with --format json"),
    common.coverageFormat(),
    common.open(),
    common.pager(),
    common.quiet(),
  ]);
  addExamples(command, [
    ["Show how complete the metadata in each domain is", "coverage --by domain"],
    [
      "Show what changed since an earlier result",
      "coverage --format json > coverage.json",
      "coverage --base coverage.json",
    ],
    ["Write a table for a spreadsheet", "coverage --by owner --format csv"],
  ]);
  return command.action(async (dir: string | undefined, options: Options) => {
    await printCoverage(dir, options, io);
    done(exitCodes.done);
  });
}

const assets: ReadonlySet<string> = new Set(assetKinds.map(({ name }) => name));

/** Creates a filter for all assets, and for all entities of other kinds to which policies apply. */
const filterFor: ListRequest["filterFor"] = (policies) => async () => {
  const kinds = [...new Set([...assets, ...policies.map(({ kind }) => kind)])];
  return { kinds, conditions: [], values: new Map(), missing: [] };
};

async function printCoverage(dir: string | undefined, options: Options, io: Io): Promise<void> {
  const { by, format, pager = false } = options;
  const base = options.base === undefined ? undefined : await readBase(options.base, by, io);
  const request = {
    dir,
    environment: options.env ?? options.environment,
    environmentFlag: "--env",
    options,
    filterFor,
    readsContaining: by === "container",
  };
  const unreadable = new Map<Urn, string>();
  const counted = await withListing(request, io, async ({ target, links, batches, namesOf }) => {
    if (base && base.target !== target)
      throw new InputError(`${options.base} was made for ${base.target}, not for ${target}`);
    const counting = countCoverage(by);
    for await (const batch of batches) {
      for (const entity of batch.entities) if (assets.has(entity.kind)) counting.add(entity);
      counting.judged(batch.policies ?? []);
      for (const [urn, reason] of batch.unreadable) unreadable.set(urn, reason);
    }
    const counts = counting.result({ target, createdAt: createdAt(io) });
    const compared = base ? comparedCoverage(counts, base) : counts;
    const restricted = countRestricted(unreadable.values());
    const coverage = { ...compared, ...(restricted > 0 && { restricted }) };
    const hasNames = format === "text" || format === "html";
    const names = hasNames ? await namesOf(coverage.groups.map(({ key }) => key)) : {};
    return { coverage, names, links };
  });
  // If an entity cannot be read, no counts are printed, because users could mistake them for complete counts. Restricted entities
  // are an exception, because the result states their number.
  const failed = [...unreadable].filter(([, reason]) => !isRestricted(reason));
  if (failed.length > 0) refuseUnread(unreadable, "the coverage", io);
  const { coverage, names, links } = counted;
  const text = coveragePrinters[format](coverage, names, { color: hasColor(io.stdout, io.env), links });
  await print(() => [text], { format, pager }, io);
  refuseUnread(unreadable, "the coverage", io);
}

/**
 * Reads a result saved with `coverage --format json`. Throws `InputError` if the file is not such a result, or if the result is
 * grouped differently.
 */
async function readBase(file: string, by: string, io: Io): Promise<Coverage> {
  const { parseCoverage } = await import("../../report/saved/saved-coverage.ts");
  const nouns = { a: "a coverage result in JSON format", valid: "a valid coverage result" };
  const { coverage } = parsedOrThrow(parseCoverage(readText(file, io)), file, nouns);
  if (coverage.by === by) return coverage;
  throw new InputError(`${file} is grouped by ${coverage.by}, not by ${by}; use --by ${coverage.by}`);
}
