/** Records the rules and the asset documents in each valid commit. */

import { assetKinds } from "../../kinds/index.ts";
import { entitiesOf } from "../../manifests/documents/entities.ts";
import { urnOf } from "../../model/packed-declarations.ts";
import { exemptionsOf, rulesOf } from "../../manifests/rules/rule-set.ts";
import { compareText } from "../../model/json.ts";
import type { Rule } from "../../model/rule.ts";
import type { Urn } from "../../model/urn.ts";
import type { Epoch } from "../../plan/rules/history.ts";
import type { Declaration } from "../../model/declaration.ts";

/** The declarations of a file in a commit. */
export interface FileDeclarations {
  readonly declarations: readonly Declaration[];
  readonly rules: readonly Rule[];
}

type Files = ReadonlyMap<string, FileDeclarations>;

/** Goes through valid commits in order, and records the rules and asset documents in each of them. */
interface RuleHistory {
  /** The declarations recorded so far. */
  readonly epochs: readonly Epoch[];
  /**
   * Records a valid commit. `files` contains its files, and `touched` the files that may have changed since the previous valid
   * commit.
   */
  note(files: Files, touched: ReadonlySet<string>): void;
}

/**
 * Creates a history that starts with the files in the first commit. The history records nothing if no file in any version
 * (`ever`) contains a rule.
 */
export function ruleHistory(start: Files, ever: Iterable<FileDeclarations>): RuleHistory {
  const epochs: Epoch[] = [];
  const hasRules = [...ever, ...start.values()].some(({ rules }) => rules.length > 0);
  if (!hasRules) return { epochs, note: () => undefined };
  const last = new Map(start);
  let current = rulesIn(start);
  return {
    epochs,
    note: (files, touched) => {
      const versions = [...touched].flatMap((name) => [last.get(name) ?? [], files.get(name) ?? []].flat());
      for (const name of touched) {
        const now = files.get(name);
        if (now) last.set(name, now);
        else last.delete(name);
      }
      const haveRulesChanged = versions.some(({ rules }) => rules.length > 0);
      if (haveRulesChanged) current = rulesIn(files);
      if (current.length === 0) return;
      const only = new Set(versions.flatMap(({ declarations }) => declarations.filter(isOfAsset).map(urnOf)));
      if (haveRulesChanged) epochs.push(epochOf(files, current));
      else if (only.size > 0) epochs.push({ ...epochOf(files, current, only), only });
    },
  };
}

function epochOf(files: Files, rules: readonly Rule[], only?: ReadonlySet<Urn>): Epoch {
  const declarations = sorted(files)
    .flatMap((each) => each.declarations)
    .filter((each) => isOfAsset(each) && (!only || only.has(urnOf(each))));
  const { state, used } = entitiesOf(declarations);
  return { state, rules, exempt: exemptionsOf(used) };
}

function rulesIn(files: Files): readonly Rule[] {
  return rulesOf(sorted(files).flatMap(({ rules }) => rules)).rules;
}

function sorted(files: Files): readonly FileDeclarations[] {
  return [...files].toSorted(([a], [b]) => compareText(a, b)).map(([, each]) => each);
}

const assets: ReadonlySet<string> = new Set(assetKinds.map(({ name }) => name));

function isOfAsset({ entity }: Declaration): boolean {
  return assets.has(entity.kind);
}
