import { parseResult, type SavedResult } from "../../report/saved/saved-result.ts";
import { InputError } from "../errors.ts";
import type { Io } from "../io.ts";
import { faultText, readText } from "../run/saved-file.ts";

/** Reads what `--report` of `plan` or `drift` wrote. Throws `InputError` when it is something else, or was edited. */
export function readResult(file: string, io: Io): SavedResult {
  const read = parseResult(readText(file, io));
  if ("fault" in read)
    throw new InputError(`${file} ${faultText(read, { a: "a plan", valid: "a valid plan" })}`);
  return read;
}
