import { takesStatistics, type WordColumns } from './encoding.ts'
import { maxStatistics, statisticsFor } from './statistics.ts'
import type { NumberData, Table, WordData } from './table.ts'
import { maxWords } from './words.ts'

/** The ways of an algorithm: it takes missing numbers as they are, and many words as places or as statistics. */
export type Ways = { readonly takesMissing: boolean; readonly manyWords: WordColumns }

const count = (number: number) => number.toLocaleString('en-US')

/** The facts about the data that a person wants to know, for the training's log. */
export function describeTable(table: Table, ways: Ways): readonly string[] {
  const { rows, dropped, notes, columns } = table
  const lines = columns.flatMap((column) => {
    const missing = `${count(column.missing)} of ${count(rows)} missing`
    return column.kind === 'number' ? numbersLine(column, missing, ways) : [wordsLine(table, column, missing, ways)]
  })
  return [...(dropped === 0 ? [] : [`${count(dropped)} rows without a target left out`]), ...notes, ...lines]
}

function numbersLine({ missing, range }: NumberData, sentence: string, { takesMissing }: Ways): string[] {
  const how = takesMissing ? 'left so' : `taken as the mean ${range.mean}`
  return missing === 0 ? [] : [`attribute '${range.name}': ${sentence}, ${how}`]
}

function wordsLine(table: Table, column: WordData, sentence: string, { manyWords }: Ways): string {
  const { encoding, missing, why } = column
  const encoded =
    'categories' in encoding
      ? `${count(encoding.categories.length)} categories`
      : `words hashed into ${count(encoding.buckets)} buckets, ${reasons[why ?? 'many']}`
  const taken = missing === 0 ? '' : `, ${sentence}, taken as a category`
  const split = takesStatistics(table, column, manyWords) ? `, ${statisticsSentence(table)}` : ''
  return `attribute '${encoding.name}': ${encoded}${taken}${split}`
}

const reasons = {
  many: `as there are more than ${count(maxWords)} different ones`,
  asked: 'as the request asks',
  long: 'as the different ones have too many characters to keep',
  memory: 'as more columns would take more memory than trainings may',
} as const

function statisticsSentence({ target }: Table): string {
  if (target.kind !== 'classes') return 'split by the mean of the target'
  const width = statisticsFor(target)
  if (width === 1) return `split by the share of '${target.labels[0]}'`
  return width < target.labels.length
    ? `split by the shares of the ${maxStatistics} most frequent labels`
    : `split by the shares of the ${width} labels`
}
