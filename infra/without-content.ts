/**
 * Texts of errors for the log, which has no content of events and statements: ClickHouse quotes the line, or the part of
 * a statement, that it did not understand.
 */

/** Codes of ClickHouse whose texts quote what could not be read: data, or a statement's text. */
const quoting = /\bCode: (?:6|25|26|27|32|33|38|41|43|53|62|69|70|72|117|131|321|349|407|467)\b/

export function withoutContent(text: string): string {
  const plain = text
    .replace(/\{\s*"[\s\S]*\}|\{\s*"[\s\S]*$/, '{...}')
    .replace(/\bbefore: '[\s\S]*?(?='?(?:\.? ?: ?\(?(?:at row|While)|: \(at row|: While|\(at row|$))/g, "before: '...")
  // From the first quotation mark to the last: the quoted text may have marks of its own.
  return quoting.test(plain)
    ? plain.replace(/(['"])[\s\S]*\1/, '$1...$1').replace(/: SELECT\b[\s\S]*/i, ': ...')
    : plain
}
