/**
 * Cases from a text file, in sections headed `# behaviour`. A case is the lines of a text, each behind `> `, then the
 * lines of what becomes of it, each behind `| `.
 */
import { readFileSync } from 'node:fs'

export type Case = { readonly text: string; readonly result: string }

export function readCorpus(file: string): ReadonlyMap<string, readonly Case[]> {
  const content = readFileSync(new URL(file, import.meta.url), 'utf8')
  const sections = content.split(/^# /m).slice(1)
  return new Map(sections.map((section) => [firstLine(section), section.trimEnd().split(/\n\n+/).slice(1).map(toCase)]))
}

function firstLine(section: string): string {
  return section.slice(0, section.indexOf('\n'))
}

function toCase(block: string): Case {
  const lines = block.trimEnd().split('\n')
  return { text: linesBehind('>', lines), result: linesBehind('|', lines) }
}

function linesBehind(mark: string, lines: readonly string[]): string {
  const marked = lines.filter((line) => line.startsWith(mark))
  return marked.map((line) => line.slice(2)).join('\n')
}
