/** Checks whether a double keeps all digits of a decimal number. */

const decimal = /^[-+]?(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;

/** Whether a double keeps and prints all digits in a text. A text that is not a decimal number, such as `0x10`, counts as exact. */
export function isExactNumber(text: string): boolean {
  const digits = digitsOf(text);
  return digits === undefined || digits === digitsOf(String(Number(text)));
}

/** Returns a decimal number's significant digits, and the power of ten for its last digit. */
function digitsOf(text: string): string | undefined {
  const [, whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  if (all === "") return whole + fraction === "" ? undefined : "0";
  const significant = all.replace(/0+$/, "");
  return `${significant}e${Number(exponent) - fraction.length + all.length - significant.length}`;
}
