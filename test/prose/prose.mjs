// Finds sentences that are too long, refused words and refused openings in a text of Markdown.
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import sentenceLength from "textlint-rule-sentence-length";
import { refusedOpenings, refusedWords } from "./refused-words.mjs";

/** About 35 words. */
const maxSentence = 220;

/** Finds refused words in texts, but not in code, and refused openings of paragraphs and of their sentences. */
function wording({ Syntax, RuleError, getSource, report, locator }) {
  const note = (node, index, message) =>
    report(node, new RuleError(message, { padding: locator.range([index, index + 1]) }));
  return {
    [Syntax.Str](node) {
      for (const [word, instead] of refusedWords) {
        const match = word.exec(node.value);
        if (match) note(node, match.index, `"${match[0]}": write ${instead}`);
      }
    },
    [Syntax.Paragraph](node) {
      const text = getSource(node);
      for (const { index, 0: sentence } of text.matchAll(/(?<=^|[.!?]\s+)[A-Z][^.!?]*/g))
        for (const [opening, instead] of refusedOpenings)
          if (opening.test(sentence)) note(node, index, `"${sentence.slice(0, 40)}…": ${instead}`);
    },
  };
}

const options = {
  ext: ".md",
  plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
  rules: [
    { ruleId: "wording", rule: wording },
    {
      ruleId: "sentence-length",
      rule: sentenceLength.default ?? sentenceLength,
      options: { max: maxSentence, skipUrlStringLink: true },
    },
  ],
};

/** The findings in a text, by line, as `{ line, message }`. */
export async function lintProse(text) {
  const { messages } = await new TextlintKernel().lintText(text, options);
  return messages.map(({ line, message }) => ({
    line,
    message: message.split("\n")[0].replace(/^Line \d+ /, ""),
  }));
}
