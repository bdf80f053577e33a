/** Prints the result of an export (the files, and everything that was skipped), and computes the exit code. */

import type { LeftOut } from "../../workflow/export/export-discovery.ts";
import { kinds } from "../../kinds/index.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { count } from "../../report/count.ts";
import { valueText } from "../../report/document/values.ts";
import { RunError, UsageError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { type NarrowingOptions } from "../options/scope.ts";
import { unreadText } from "./list-run.ts";
import { countsText, type WrittenFiles } from "./catalog-directory.ts";
import { flagsText } from "../output/flags-text.ts";

/** An entity, facet or value that an export skips. */
export interface Omission {
  readonly urn: Urn;
  readonly why: LeftOut;
  readonly facet: string | undefined;
  /** The skipped value, or the value that causes its facet to be skipped. */
  readonly value: Member | Scalar | undefined;
}

/** The scope of an export, and options for the summary. */
export interface SummaryOptions extends NarrowingOptions {
  readonly facet?: readonly string[];
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

interface Summary {
  readonly dir: string;
  readonly left: readonly Omission[];
  /** Referenced entities that do not exist and are not declared. */
  readonly absent: readonly Urn[];
  readonly unread: ReadonlyMap<Urn, string>;
  readonly options: SummaryOptions;
}

/**
 * Prints the summary of an export. Throws `RunError` if the export is incomplete, and `UsageError` if `--target` does not match
 * anything.
 */
export function printExportSummary(
  written: WrittenFiles,
  { dir, left, absent, unread, options }: Summary,
  io: Io,
): ExitCode {
  const { quiet = false, target } = options;
  const noteAll = (texts: readonly string[]): void => texts.forEach((text) => note(text, io));
  if (!quiet) noteAll([...leftTexts(left, options), ...skippedTexts(written.skip)]);
  io.stdout.write(`Exported to ${dir}: ${countsText(written)}.\n`);
  const isNothing =
    Object.values(written).every((files) => files.length === 0) &&
    unread.size === 0 &&
    !left.some(({ why }) => why === "ruled");
  if (isNothing && target)
    throw new UsageError(`--target matches nothing in the catalog: ${target.join(", ")}`);
  if (isNothing && !quiet) note(nothingText(options), io);
  const differs = "has edits that were not applied, so it was left unchanged. --force overwrites it";
  noteAll(written.keep.map((path) => `${dir}/${path} ${differs}`));
  if (!quiet) noteAll(absentTexts(absent, options));
  noteAll([...unread].map(([urn, error]) => `${urn} could not be read: ${error}`));
  if (unread.size > 0) {
    throw new RunError(`${unreadText(unread)}; the export is incomplete`, "answer");
  }
  return written.keep.length > 0 ? exitCodes.conflict : exitCodes.done;
}

/** Returns the message that nothing was exported. The message includes the scope, because the scope may contain a typo. */
function nothingText({ platform, domain, kind, facet }: SummaryOptions): string {
  const scope = flagsText({ platform, domain, kind, facet });
  if (scope === "") return "The catalog has nothing to export.";
  return `The catalog has nothing to export in this scope: ${scope}`;
}

/** The words before or after the noun for each reason, in messages such as `Skipped 2 … entities`. */
const reasons: Readonly<Record<LeftOut, { readonly before?: string; readonly after?: string }>> = {
  system: { before: "DataHub system " },
  "soft-deleted": { before: "soft-deleted " },
  ignored: { after: " that the settings ignore" },
  external: { after: " managed by an identity provider" },
  circle: { after: " whose parents form a cycle" },
  "not-expressible": { after: " with a value that manifests cannot express" },
  "element-not-expressible": { after: " that manifests cannot express" },
  undeclarable: { after: " with a URN that manifests cannot express" },
  ruled: { after: " declared by rules" },
};

function leftTexts(left: readonly Omission[], options: SummaryOptions): readonly string[] {
  return [...groupBy(left, (each) => each.why)].flatMap(([why, own]) => {
    const { before = "", after = "" } = reasons[why];
    const [one, many] = nounsFor(own);
    return namedTexts(
      `Skipped ${count(own.length, `${before}${one}`, `${before}${many}`)}${after}`,
      own.map(omissionText),
      options,
    );
  });
}

function nounsFor([first]: readonly Omission[]): readonly [one: string, many: string] {
  if (first?.facet === undefined) return ["entity", "entities"];
  const noun = first.why === "element-not-expressible" ? "value" : "field";
  return [noun, `${noun}s`];
}

function omissionText({ urn, facet, value }: Omission): string {
  if (facet === undefined) return urn;
  return value === undefined ? `${urn} ${facet}` : `${urn} ${facet} ${valueText(facet, value)}`;
}

function skippedTexts(skipped: readonly string[]): readonly string[] {
  if (skipped.length === 0) return [];
  const title = `Skipped ${count(skipped.length, "deleted manifest")}; --target <urn> restores one, --force all of them`;
  return namedTexts(title, skipped, { verbose: true });
}

// Plans do not allow new references to missing entities, so such references could block later edits of the manifests.
function absentTexts(absent: readonly Urn[], options: SummaryOptions): readonly string[] {
  if (absent.length === 0) return [];
  const counts = kinds.flatMap(({ entityType, noun, plural }) => {
    const own = absent.filter((urn) => entityTypeOf(urn) === entityType);
    return own.length === 0 ? [] : [count(own.length, noun, plural)];
  });
  const last = counts.slice(-1).join("");
  const listed = counts.length > 1 ? `${counts.slice(0, -1).join(", ")} and ${last}` : last;
  const [are, them, manifests] =
    absent.length === 1 ? ["is", "it", "a manifest"] : ["are", "them", "manifests"];
  const doing = `Add ${manifests} for ${them}, or remove the references`;
  const title = `${listed} ${are} referenced but ${absent.length === 1 ? "does" : "do"} not exist in DataHub. ${doing}`;
  return namedTexts(title, absent, options);
}

/** Returns a title followed by the names, or by a hint about how to list the names. */
function namedTexts(title: string, names: readonly string[], { verbose }: SummaryOptions): readonly string[] {
  if (verbose !== true) return [`${title}; export --verbose lists ${names.length === 1 ? "it" : "them"}`];
  return [`${title}:`, ...names.map((name) => `  ${name}`)];
}
