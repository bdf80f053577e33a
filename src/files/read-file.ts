/** Reads regular files up to a maximum size, and can refuse links that lead out of a repository. */

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../model/text/error-text.ts";
import { FileError } from "./file-error.ts";
import { linkOutside } from "./links.ts";

/** Maximum size in bytes of manifests, settings, and any other file that people write. */
export const maxInputBytes = 10_000_000;

/** Maximum size in bytes of a saved plan or report: a JavaScript string can have 512 MiB. */
export const maxSavedBytes = 500_000_000;

// With these flags, opening a pipe does not wait for a writer. Windows lacks the last two.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Returns a regular file's bytes, and follows links. Synchronous, because that takes 7 µs for a cached file instead of 45 µs.
 * Throws `FileError` if the file is not regular or has more than `maxBytes` bytes, and file system errors.
 */
export function readRegularFile(path: string, maxBytes = maxInputBytes): Buffer {
  const fd = opened(path);
  try {
    return bytesOf(fd, maxBytes);
  } finally {
    closeSync(fd);
  }
}

/** Reads a file as `readRegularFile` does, and throws `FileError` if a link leads out of its repository or `root`. */
export function readContainedFile(path: string, maxBytes = maxInputBytes, root?: string): Buffer {
  if (linkOutside(path, root) !== undefined) throw new FileError("link-outside");
  return readRegularFile(path, maxBytes);
}

function opened(path: string): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    // The file is a socket, or its device does not exist.
    throw errorCode(error) === "ENXIO" ? new FileError("no-regular-file") : error;
  }
}

function bytesOf(fd: number, maxBytes: number): Buffer {
  const stat = fstatSync(fd);
  // For a directory, the read below throws the system's own error.
  if (!stat.isFile() && !stat.isDirectory()) throw new FileError("no-regular-file");
  if (stat.size > maxBytes) throw tooLarge(maxBytes);
  let bytes = Buffer.allocUnsafe(stat.size + 1);
  for (let end = 0; ;) {
    const count = readSync(fd, bytes, end, bytes.length - end, null);
    end += count;
    if (end > maxBytes) throw tooLarge(maxBytes);
    if (count === 0 || end === stat.size) return bytes.subarray(0, end);
    // The file has grown since its size was read, or it is a system file without a size.
    if (end === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(64 * 1024)]);
  }
}

function tooLarge(maxBytes: number): FileError {
  return new FileError("too-large", `it is larger than ${maxBytes / 1_000_000} MB`);
}
