import type { LeftOut } from "../../library/export-catalog.ts";
import { kinds } from "../../kinds/index.ts";
import { groupBy } from "../../model/group-by.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { count } from "../../report/count.ts";
import { RunError, UsageError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { flagsText } from "../options/scope.ts";
import type { Written } from "./export-files.ts";
import type { ExportOptions } from "./export-run.ts";

/** What is not in the manifests of an export. */
export interface Left {
  readonly urn: Urn;
  readonly why: LeftOut;
  readonly facet: string | undefined;
}

type TellingOptions = Pick<
  ExportOptions,
  "target" | "platform" | "domain" | "kind" | "facet" | "quiet" | "verbose"
>;

/** What there is to say of an export beside its files. */
interface Told {
  readonly dir: string;
  readonly left: readonly Left[];
  /** What manifests refer to, and neither exists nor is declared. */
  readonly absent: readonly Urn[];
  readonly unread: ReadonlyMap<Urn, string>;
  readonly options: TellingOptions;
}

/**
 * Says what an export wrote, kept and left out. Throws `RunError` where something could not be read: the export is not
 * complete; and `UsageError` where `--target` matches nothing.
 */
export function tellExport(written: Written, { dir, left, absent, unread, options }: Told, io: Io): ExitCode {
  const { created, updated, removed, unchanged, kept, deleted } = written;
  if (options.quiet !== true) tellLeft(left, options, io);
  if (options.quiet !== true) tellDeleted(deleted, io);
  const gone = removed.length > 0 ? `${removed.length} removed, ` : "";
  io.stdout.write(
    `Exported to ${dir}: ${count(created.length, "file")} created, ${updated.length} updated, ${gone}${unchanged} unchanged.\n`,
  );
  const ruled = left.filter(({ why }) => why === "ruled");
  const files = created.length + updated.length + removed.length + unchanged + kept.length + deleted.length;
  const found = files + ruled.length + unread.size;
  if (found === 0 && options.target)
    throw new UsageError(`--target matches nothing in the catalog: ${options.target.join(", ")}`);
  if (found === 0 && options.quiet !== true) note(nothingText(options), io);
  for (const path of kept) {
    note(
      `${dir}/${path} differs from the catalog and from what was applied, and stays as it is; --force overwrites it`,
      io,
    );
  }
  if (options.quiet !== true) tellAbsent(absent, options, io);
  for (const [urn, error] of unread) note(`${urn} could not be read: ${error}`, io);
  if (unread.size > 0) {
    throw new RunError(
      `${count(unread.size, "entity", "entities")} could not be read; the export is not complete`,
      "answer",
    );
  }
  return kept.length > 0 ? exitCodes.conflict : exitCodes.done;
}

/** Why nothing was exported: a scope may hold a slip. */
function nothingText({ platform, domain, kind, facet }: TellingOptions): string {
  const scope = flagsText({ platform, domain, kind, facet });
  if (scope === "") return "The catalog has nothing to export.";
  return `The catalog has nothing to export in this scope: ${scope}`;
}

const reasons: Readonly<Record<LeftOut, string>> = {
  system: "belongs to DataHub itself",
  "soft-deleted": "is soft-deleted",
  ignored: "is ignored by the settings",
  external: "is decided by an identity provider",
  circle: "is part of a circle of parents",
  unsaid: "has a value that a manifest cannot declare",
  undeclarable: "has a URN that a manifest cannot declare",
  ruled: "is declared by rules",
};

function tellLeft(left: readonly Left[], { verbose }: TellingOptions, io: Io): void {
  for (const [why, own] of groupBy(left, (each) => each.why)) {
    const what =
      own[0]?.facet === undefined ? count(own.length, "entity", "entities") : count(own.length, "facet");
    note(
      `Left out: ${what}, because each ${reasons[why]}${verbose === true ? ":" : "; --verbose names them"}`,
      io,
    );
    if (verbose === true)
      for (const { urn, facet } of own) note(`  ${urn}${facet === undefined ? "" : ` ${facet}`}`, io);
  }
}

function tellDeleted(deleted: readonly Urn[], io: Io): void {
  if (deleted.length === 0) return;
  const what = `${count(deleted.length, "entity", "entities")}, because ${deleted.length === 1 ? "its manifest was" : "their manifests were"} deleted`;
  note(`Left out: ${what}; --target <urn> writes one again, --force all of them:`, io);
  for (const urn of deleted) note(`  ${urn}`, io);
}

// A plan refuses to add them, so they are in the way of the first edit of such a value.
function tellAbsent(absent: readonly Urn[], { verbose }: TellingOptions, io: Io): void {
  if (absent.length === 0) return;
  const counts = kinds.flatMap(({ entityType, name, plural }) => {
    const own = absent.filter((urn) => entityTypeOf(urn) === entityType);
    return own.length === 0 ? [] : [count(own.length, name.toLowerCase(), plural)];
  });
  const end = verbose === true ? ":" : "; --verbose names them";
  note(`Declare what manifests refer to and the catalog does not have: ${listed(counts)}${end}`, io);
  if (verbose === true) for (const urn of absent) note(`  ${urn}`, io);
}

/** "a, b and c". */
function listed(texts: readonly string[]): string {
  return texts.length > 1 ? `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}` : texts.join("");
}
