/**
 * Matches complete texts with a pattern in which `*` is any text and `?` one character, in time proportional to the product of
 * both lengths.
 */
export function wildcardsOf(pattern: string): (text: string) => boolean {
  const signs = Array.from(pattern);
  return (text) => {
    const characters = Array.from(text);
    let [sign, at, star, from] = [0, 0, -1, 0];
    while (at < characters.length) {
      if (signs[sign] === "*") [star, from, sign] = [sign, at, sign + 1];
      else if (signs[sign] === "?" || signs[sign] === characters[at]) [sign, at] = [sign + 1, at + 1];
      else if (star >= 0) [from, at, sign] = [from + 1, from + 1, star + 1];
      else return false;
    }
    return signs.slice(sign).every((each) => each === "*");
  };
}
