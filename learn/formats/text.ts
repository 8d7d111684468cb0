import { Refusal } from '../../base/refusal.ts'
import type { Layout } from '../layout.ts'
import type { Format, ReadOptions } from './format.ts'
import { isSameName, mayBeHeader, showingRows, takenForRow, tellDoubt } from './header.ts'
import { cutLines } from './lines.ts'

/**
 * Lines `label<tab>text`; a line to predict is the text alone, or both. A first line that holds the attributes' names is a
 * header, and so is any where a request says so: columns are found by their places.
 */
export const text: Format = {
  name: 'TEXT',
  createReader: (layout, options, emit) => {
    const { columns, target } = layout
    if (columns.length !== 1) {
      throw new Refusal(
        `TEXT holds a label and one text, but attr_list has ${columns.length} attributes beside the target`,
      )
    }
    const wantsTarget = options.target && target !== undefined
    /** The first rows of training data, while they may show that the very first is a header. */
    let first: string[][] | undefined = options.purpose === 'training' && options.header === undefined ? [] : undefined
    let isFirst = true

    const decide = () => {
      const [head, ...following] = first ?? []
      if (head !== undefined && mayBeHeader(head, following)) options.doubt?.(takenForRow(head))
      first = undefined
    }

    const take = (line: string, number: number) => {
      if (line.trim() === '') return
      if (isFirst) {
        isFirst = false
        if (isHeaderOfTexts(line, layout, options)) {
          first = undefined
          return options.note?.('the first row is a header')
        }
      }
      const tab = line.indexOf('\t')
      if (wantsTarget && tab < 0) return emit({ line: number, reason: 'no tab stands between the label and the text' })
      const hasLabel = tab >= 0 && (wantsTarget || options.purpose === 'training')
      const cells = [(hasLabel ? line.slice(tab + 1) : line) || undefined]
      if (first !== undefined && hasLabel) {
        first.push([line.slice(0, tab), cells[0] ?? ''])
        if (first.length > showingRows) decide()
      }
      emit({ line: number, cells, target: wantsTarget ? line.slice(0, tab) || undefined : undefined })
    }
    const lines = cutLines(emit, take, options.blanks)
    return {
      push: lines.push,
      end: () => {
        lines.end()
        decide()
      },
    }
  },
  write: ({ cells, target, line }, { columns }) => {
    if (columns.length !== 1)
      throw new Refusal(`TEXT holds one attribute beside the label; there are ${columns.length}`)
    const words = [target ?? '', cells[0] ?? ''].map((cell) => String(cell).replace(/[\r\n]+/g, ' '))
    if (words[0]?.includes('\t')) throw new Refusal(`line ${line}: a label with a tab cannot be written as TEXT`)
    return words.join('\t')
  },
}

/** Whether the first line of texts is a header. One line to predict, whose header is `named`, never is. */
function isHeaderOfTexts(line: string, { columns, target }: Layout, { header, purpose }: ReadOptions): boolean {
  if (header !== undefined) return header === 'present'
  const cells = line.split('\t')
  const name = columns[0]?.name ?? ''
  if (cells.length === 1) return purpose === 'prediction' && isSameName(line, name)
  const [label = '', text = ''] = cells
  return cells.length === 2 && isSameName(text, name) && target !== undefined && isSameName(label, target.name)
}

/** The header of texts to predict with its line's end; empty where the first line is none. `text` are the first lines, from one that is not blank. */
export function headerOfTexts(text: string, layout: Layout, options: ReadOptions): string {
  const feed = text.indexOf('\n')
  const end = feed < 0 ? text.length : feed + 1
  const line = withoutEnd(text.slice(0, end))
  if (isHeaderOfTexts(line, layout, options)) return text.slice(0, end)
  if (options.header === undefined && !options.target) {
    const following = text.slice(end).split('\n', showingRows).map(withoutEnd)
    const rows = following.filter((each) => each.trim() !== '').map((each) => [each])
    tellDoubt([line], rows, layout, { columns: [0], target: -1, width: 1 }, options)
  }
  return ''
}

const withoutEnd = (line: string): string => line.replace(/\r?\n?$/, '')
