import { Refusal } from '../../base/refusal.ts'
import type { Layout } from '../layout.ts'
import { requireColumns } from './columns.ts'
import type { Emit, Format, Reader, ReadOptions } from './format.ts'
import { cutLines } from './lines.ts'
import { type BrokenRow, type Cell, maxExamples, type ReadRow } from './row.ts'
import { byPosition } from './write.ts'

/** LIBSVM's lines `label index:value ...`, indices ascending; a value that a line leaves out is 0. Text after `#` is a comment. */
export const svm: Format = {
  name: 'SVM',
  createReader: createSvmReader,
  write: (row, layout) => {
    const features = byPosition(row, layout).flatMap(({ name, position, cell, isTarget }) => {
      if (isTarget) return []
      if (cell === undefined) return [`${position}:nan`]
      const value = Number(cell)
      if (Number.isNaN(value))
        throw new Refusal(`line ${row.line}, attribute '${name}': '${cell}' is a word, and SVM holds numbers`)
      return value === 0 ? [] : [`${position}:${value}`]
    })
    return [String(row.target ?? 0), ...features].join(' ')
  },
}

/** One line's parts: the pairs still as texts, each index checked. */
export type SvmLine = { readonly label: string | undefined; readonly indices: number[]; readonly values: string[] }

function createSvmReader(layout: Layout, options: ReadOptions, emit: Emit): Reader {
  requireColumns(layout, 'SVM')
  const isOpen = options.purpose === 'prediction' && isOfFeatures(layout)
  const places = new Map(layout.columns.map(({ position }, place) => [position, place]))

  const rowOf = (text: string, line: number): ReadRow => {
    const split = splitSvm(text, line)
    if ('reason' in split) return split
    if (split.label === undefined && options.target) return { line, reason: noLabel }
    const cells: Cell[] = new Array(layout.columns.length).fill(0)
    const unseen: number[] = []
    for (const [i, index] of split.indices.entries()) {
      const place = places.get(index)
      if (place === undefined && isOpen && index > layout.columns.length && index !== layout.target?.position) {
        if (unseen.length < maxExamples) unseen.push(index)
        continue
      }
      if (place === undefined) {
        const isOfTarget = index > 0 && layout.target?.position === index
        return { line, reason: isOfTarget ? ofTarget(index) : noPlace(index) }
      }
      cells[place] = cellOf(split.values[i])
    }
    const target = options.target ? split.label : undefined
    return unseen.length === 0 ? { line, cells, target } : { line, cells, target, unseen }
  }
  const take = (text: string, line: number): void => {
    if (!isBlank(text)) emit(rowOf(text, line))
  }
  return cutLines(emit, take, options.blanks)
}

/** Whether a model learnt from LIBSVM data without `attr_list`. As svm-predict does, it passes over features that it never saw. */
function isOfFeatures({ columns }: Layout): boolean {
  const [first, last] = [columns[0], columns.at(-1)]
  return first?.name === 'f1' && last?.position === columns.length && last.name === `f${columns.length}`
}

const noPlace = (index: number): string =>
  `no attribute has position ${index}${index === 0 ? '; features count from 1, which dump_svmlight_file of scikit-learn writes with zero_based=False' : ''}`

const ofTarget = (index: number): string =>
  `position ${index} is that of the target, with whose label a row begins, and no feature's`

export const noLabel = 'the row has no label before its features'

export const isBlank = (text: string): boolean => text === '' || text.startsWith('#') || text.trim() === ''

const cellOf = (value: string | undefined): Cell => (value?.toLowerCase() === 'nan' ? undefined : value)

/** The line and column of a token, counted among the tokens between blanks. */
function placeIn(text: string, line: number, token: number): { readonly line: number; readonly column: number } {
  const between = /\S+/g
  for (let i = 0; i < token; i++) between.test(text)
  return { line, column: (between.exec(text)?.index ?? 0) + 1 }
}

export function splitSvm(text: string, line: number): SvmLine | BrokenRow {
  const comment = text.indexOf('#')
  const tokens = (comment < 0 ? text : text.slice(0, comment)).trim().split(/\s+/)
  const label = tokens[0]?.includes(':') ? undefined : tokens[0]
  const indices: number[] = []
  const values: string[] = []
  let last = -1
  const first = label === undefined ? 0 : 1
  for (const [i, token] of tokens.slice(first).entries()) {
    const colon = token.indexOf(':')
    const index = colon > 0 ? Number(token.slice(0, colon)) : Number.NaN
    if (!Number.isSafeInteger(index) || index < 0 || colon === token.length - 1) {
      return { ...placeIn(text, line, first + i), reason: `'${token.slice(0, 40)}' is no index:value` }
    }
    if (index <= last)
      return { ...placeIn(text, line, first + i), reason: `index ${index} follows ${last}; indices must ascend` }
    last = index
    indices.push(index)
    values.push(token.slice(colon + 1))
  }
  return { label, indices, values }
}
