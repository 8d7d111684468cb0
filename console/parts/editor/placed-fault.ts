/** The place of a fault in a text, counted from 1, and what is wrong there. */
export type PlacedFault = { readonly line: number; readonly column: number; readonly message: string }

/** Reads a refusal of the service, `line 1, column 13: ...`, which goes on with the line and a caret. */
export function placedFault(reason: string): PlacedFault | undefined {
  const [, line, column, message = ''] = /^line (\d+), column (\d+): ([\s\S]*)$/.exec(reason) ?? []
  if (line === undefined || column === undefined) return undefined
  return { line: Number(line), column: Number(column), message: withoutExcerpt(message) }
}

/** The last two lines are the excerpt and its caret, which an editor shows itself. */
function withoutExcerpt(message: string): string {
  const lines = message.split('\n')
  return /^\s*\^$/.test(lines.at(-1) ?? '') ? lines.slice(0, -2).join('\n') : message
}
