/** Checks whether a double can store a decimal number exactly. */

const decimal = /^[-+]?(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;

/** Whether a double preserves and prints all digits of a decimal number. Any other text, such as `0x10`, counts as exact. */
export function isExactNumber(text: string): boolean {
  const digits = digitsOf(text);
  return digits === undefined || digits === digitsOf(String(Number(text)));
}

/** Returns the significant digits of a decimal number, and the power of ten of the last digit. */
function digitsOf(text: string): string | undefined {
  const [, whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  if (all === "") return whole + fraction === "" ? undefined : "0";
  const significant = all.replace(/0+$/, "");
  return `${significant}e${Number(exponent) - fraction.length + all.length - significant.length}`;
}
