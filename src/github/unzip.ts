/** Unpacks one file from a zip archive, up to a maximum size. */

import { errorMessage } from "../model/text/error-text.ts";
import { GithubError } from "./failure.ts";

/** Unpacks one file. Throws `GithubError` if the archive is not valid, or if the file is missing or larger than `maxBytes`. */
export async function unzipped(archive: Buffer, file: string, maxBytes: number): Promise<Buffer> {
  // Imported on demand, because most commands do not read archives.
  const { default: yauzl } = await import("yauzl");
  try {
    const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== file) continue;
      if (entry.uncompressedSize > maxBytes) throw tooLarge(file, maxBytes);
      const parts: Buffer[] = [];
      // The stream fails if the file has more bytes than the archive declares.
      for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
      return Buffer.concat(parts);
    }
  } catch (error) {
    if (error instanceof GithubError) throw error;
    throw new GithubError("archive", `the artifact is not a valid zip archive: ${errorMessage(error)}`);
  }
  throw new GithubError("archive", `the artifact has no file ${file}`);
}

function tooLarge(file: string, maxBytes: number): GithubError {
  return new GithubError("archive", `${file} in the artifact is larger than ${maxBytes / 1_000_000} MB`);
}
