/** Collects a command's result as an HTML page and opens it in the browser (`--open`). */

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceFile } from "../../files/replace-file.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "./messages.ts";

/** Collects a command's output and shows it in the browser. */
export interface OpenedPage {
  readonly write: (text: string) => void;
  /** Writes the page to a new file and opens the file. The file is not deleted, because the browser may read it later. */
  readonly show: () => Promise<void>;
}

/** Starts collecting output. Throws `UsageError` in CI, if the format is not HTML, or if stdout is not a terminal. */
export function openedPage(name: string, format: string, io: Io): OpenedPage {
  if (format !== "html")
    throw new UsageError("--open shows an HTML page; remove --format, or use --format html");
  if (!io.stdout.isTTY || (io.env["CI"] ?? "") !== "")
    throw new UsageError("--open needs a terminal and does not work in CI; use --format html > page.html");
  const pieces: string[] = [];
  return {
    write: (text) => void pieces.push(text),
    show: async () => {
      if (pieces.length === 0) return;
      const file = join(await mkdtemp(join(tmpdir(), "datahub-gitops-")), `${name}.html`);
      await replaceFile(file, pieces);
      note(`The page was saved as ${file}`, io);
      try {
        await io.openFile?.(file);
      } catch (error) {
        note(`cannot start a browser (${errorMessage(error)}); open the file yourself`, io);
      }
    },
  };
}
