/** Defines `FileError`, the error for files that the program refuses to open even though the operating system would allow it. */

/** The reason why the program refuses to open a file. */
export type FileErrorCode = "no-regular-file" | "too-large" | "link" | "link-outside";

const words: Readonly<Record<FileErrorCode, string>> = {
  "no-regular-file": "it is a pipe, socket or device, not a regular file",
  "too-large": "it is too large",
  link: "it is a symbolic link",
  "link-outside": "its path contains a link that leads out of the repository",
};

/**
 * An error that is thrown when the program refuses to open a file. It has a `code`, as file system errors do. The message does
 * not include the path.
 */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: FileErrorCode;

  constructor(fault: FileErrorCode, message: string = words[fault]) {
    super(message);
    this.code = fault;
  }
}
