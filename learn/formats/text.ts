import { Refusal } from '../../base/refusal.ts'
import type { Format } from './format.ts'
import { cutLines } from './lines.ts'

/** Lines `label<tab>text`; a line to predict is the text alone, or both. */
export const text: Format = {
  name: 'TEXT',
  createReader: ({ columns, target }, options, emit) => {
    if (columns.length !== 1) {
      throw new Refusal(
        `TEXT holds a label and one text, but attr_list has ${columns.length} attributes beside the target`,
      )
    }
    const wantsTarget = options.target && target !== undefined
    const take = (line: string, number: number) => {
      if (line.trim() === '') return
      const tab = line.indexOf('\t')
      if (wantsTarget && tab < 0) return emit({ line: number, reason: 'no tab stands between the label and the text' })
      const hasLabel = tab >= 0 && (wantsTarget || options.purpose === 'training')
      emit({
        line: number,
        cells: [(hasLabel ? line.slice(tab + 1) : line) || undefined],
        target: wantsTarget ? line.slice(0, tab) || undefined : undefined,
      })
    }
    return cutLines(emit, take, options.blanks)
  },
  write: ({ cells, target, line }, { columns }) => {
    if (columns.length !== 1)
      throw new Refusal(`TEXT holds one attribute beside the label; there are ${columns.length}`)
    const words = [target ?? '', cells[0] ?? ''].map((cell) => String(cell).replace(/[\r\n]+/g, ' '))
    if (words[0]?.includes('\t')) throw new Refusal(`line ${line}: a label with a tab cannot be written as TEXT`)
    return words.join('\t')
  },
}
