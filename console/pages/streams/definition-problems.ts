import type { Problem } from './schema-problems.ts'

const place = /\bline (\d+), column (\d+): | ?\(line (\d+), column (\d+)\)/

/** Sentences of the service about a definition in words, which say the line and the column that they speak of. */
export function problemsInWords(text: string, sentences: readonly string[]): readonly Problem[] {
  const lines = text.split('\n')
  return sentences.map((sentence) => {
    const [found = '', beginLine, beginColumn, line = beginLine, column = beginColumn] = place.exec(sentence) ?? []
    const number = Math.min(Math.max(1, Number(line ?? 1)), lines.length)
    const before = lines.slice(0, number - 1).reduce((sum, each) => sum + each.length + 1, 0)
    const written = (lines[number - 1] ?? '').slice(Math.max(0, Number(column ?? 1) - 1))
    const from = before + (lines[number - 1] ?? '').length - written.length
    // Of a large part its first word is marked.
    const [word = ''] = /^(?:[\w.$-]+|"[^"]*"|\S)/.exec(written) ?? []
    return { from, to: from + word.length, says: sentence.replace(found, ''), line: number }
  })
}
