/** Writes to the stdout and stderr of the process, and records lost output. */

import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { isatty } from "node:tty";
import { errorCode, errorMessage } from "../../model/text/error-text.ts";
import type { Loss, Output } from "../io.ts";

/** Creates an output from a stream and its file descriptor. */
export function outputOf(stream: NodeJS.WriteStream, fd: number): Output {
  const isTTY = isatty(fd);
  let loss: Loss | undefined;
  const lose = (error: Error): void => {
    loss ??= lossOf(error, isTTY);
  };
  stream.on("error", lose);
  return {
    write: (text) => {
      // After a loss, nothing more is written, because the output would have a gap.
      if (loss) return;
      try {
        if (stream instanceof Socket) stream.write(text);
        else writeFully(fd, text);
      } catch (error) {
        lose(error instanceof Error ? error : new Error(errorMessage(error)));
      }
    },
    loss: () => loss,
    flush: () => new Promise((flushed) => stream.write("", () => flushed())),
    isTTY,
    columns: stream.columns > 0 ? stream.columns : 80,
    rows: stream.rows > 0 ? stream.rows : undefined,
  };
}

// Writes to the descriptor, because on a full disk, a Node.js file stream can report success after writing only part of the text.
function writeFully(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
}

function lossOf(error: Error, isTTY: boolean): Loss {
  const code = errorCode(error);
  return { reason: errorMessage(error), isClosed: code === "EPIPE" || (isTTY && code === "EIO") };
}
