import {
  CST,
  type Document,
  isCollection,
  isNode,
  isPair,
  isScalar,
  Lexer,
  type Node,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** What can have comments: a document, or a node of it. */
interface Commented {
  comment?: string | null;
  commentBefore?: string | null;
}

/** Whether there is a comment inside a collection: not before it, and not beside its closing bracket. */
export function hasCommentsInside(collection: YAMLMap | YAMLSeq): boolean {
  let found = collection.flow !== true && Boolean(collection.comment);
  visit(collection, (_, node) => {
    if (node === collection || !isNode(node)) return undefined;
    found ||= Boolean(node.comment) || Boolean(node.commentBefore);
    return found ? visit.BREAK : undefined;
  });
  return found;
}

/** Gives what stands in lines between a key and its list or mapping to the first element: `# - user: alice`, say. */
export function keepBeforeFirst(value: Node): void {
  if (!isCollection(value) || value.flow === true || !value.commentBefore) return;
  const [first] = value.items;
  const node = isPair(first) ? first.key : first;
  if (!isNode(node)) return;
  const own = node.commentBefore;
  node.commentBefore = value.commentBefore;
  moveBefore(node, own);
  value.commentBefore = null;
}

/** Leaves one empty line where there are several inside a comment, or between it and what it stands before, and none elsewhere. */
export function tidyComments(document: Document): void {
  tidy(document);
  visit(document, (_, node) => {
    if (isNode(node)) tidy(node);
  });
}

function tidy(commented: Commented): void {
  const { comment, commentBefore } = commented;
  if (comment) commented.comment = tidied(comment).replace(/\n$/, "");
  if (commentBefore) commented.commentBefore = tidied(commentBefore);
}

// A line of one space is a `#` by itself.
function tidied(comment: string): string {
  return comment
    .replace(/(?<=\S)[ \t]+$/gm, "")
    .replace(/^\n+/, "")
    .replace(/\n{2,}$/, "\n")
    .replace(/\n{3,}/g, "\n\n");
}

/**
 * Gives a comment beside a key to that key: `owners: # who to ask`, with the list below. The library has it before the value,
 * like one that stands in a line of its own.
 */
export function keepBesideKeys(document: Document.Parsed, source: string): void {
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !key.range || !isNode(value) || !value.commentBefore) return;
      if (!/^[ \t]*:(?:[ \t]+[&!][^\s]*)*[ \t]+#/.test(source.slice(key.range[1], key.range[1] + 2000)))
        return;
      const [first = "", ...others] = value.commentBefore.split("\n");
      key.comment = first;
      value.commentBefore = others.length > 0 ? others.join("\n") : null;
    },
  });
}

/** Puts the comments of a key and its value where they can stand: in lines before the key, or beside it or a value in one line. */
export function settleBesideKey(key: Node, value: Node, wasFlow: boolean): void {
  value.spaceBefore = false;
  if (isCollection(value)) {
    if (wasFlow) {
      moveBefore(key, key.comment);
      key.comment = value.comment ?? null;
      value.comment = null;
    }
    // An anchor would have a line by itself after the comment.
    if (key.comment?.includes("\n") || value.anchor !== undefined) settleBefore(key);
    return;
  }
  moveBefore(key, value.commentBefore);
  value.commentBefore = null;
  if (key.comment) value.comment = value.comment ? `${key.comment}\n${value.comment}` : key.comment;
  key.comment = null;
  if (!value.comment?.includes("\n")) return;
  moveBefore(key, value.comment);
  value.comment = null;
}

/** The same for an element of a list. */
export function settleBesideItem(item: Node, wasFlow: boolean): void {
  if (isCollection(item) ? wasFlow : item.comment?.includes("\n")) settleBefore(item);
}

function settleBefore(node: Node): void {
  moveBefore(node, node.comment);
  node.comment = null;
}

function moveBefore(node: Node, comment: string | null | undefined): void {
  if (!comment) return;
  node.commentBefore = node.commentBefore ? `${node.commentBefore}\n${comment}` : comment;
}

/** The comments of a text, sorted, without the spaces around them. */
export function commentsIn(text: string): readonly string[] {
  const found: string[] = [];
  let before = "";
  for (const lexeme of new Lexer().lex(text)) {
    // What follows a mark of the lexer is a scalar.
    if (lexeme.startsWith("#") && CST.tokenType(before) !== "scalar") found.push(lexeme.trim());
    before = lexeme;
  }
  return found.toSorted();
}
