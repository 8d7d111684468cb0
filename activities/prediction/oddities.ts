import { z } from 'zod'
import type { ModelDescription } from '../../learn/description.ts'
import { isBoolean } from '../../learn/encoding/number.ts'
import type { KnownWords } from '../../learn/formats/format.ts'
import type { FormatName } from '../../learn/formats/index.ts'
import { isBroken, maxExamples, type ReadRow } from '../../learn/formats/row.ts'

/** Rows whose value of an attribute, or whose features beyond all attributes, are predicted otherwise than a client may think. */
export const oddity = z.object({
  attribute: z.string(),
  kind: z.enum(['unseen', 'boolean', 'features']),
  rows: z.number(),
  /** The first different values. */
  examples: z.array(z.string()),
})

export type Oddity = z.infer<typeof oddity>

const longestExample = 40

/**
 * Finds words that training did not see, and truth values for numbers that training never saw written so. SVM's lines have
 * no words: an attribute that they leave out is 0.
 */
export function createOddities({ attributes }: ModelDescription, format: FormatName, words: KnownWords) {
  const known = format === 'SVM' ? [] : words
  const watched = attributes.flatMap(({ name, kind, booleans }, place) => {
    const words = known[place]
    if (kind === 'number') return booleans ? [] : [{ place, found: oddityOf(name, 'boolean'), isOdd: isBoolean }]
    if (words === undefined) return []
    const isOdd = (cell: string | number): boolean => !words.has(String(cell))
    return [{ place, found: oddityOf(name, 'unseen'), isOdd }]
  })
  const features = oddityOf('features', 'features')
  return {
    see: (row: ReadRow | undefined): void => {
      if (row === undefined || isBroken(row)) return
      if (row.unseen !== undefined) {
        features.rows += 1
        if (features.examples.length < maxExamples)
          features.examples = [...new Set([...features.examples, ...row.unseen.map(String)])].slice(0, maxExamples)
      }
      for (const { place, found, isOdd } of watched) {
        const cell = row.cells[place]
        if (cell === undefined || !isOdd(cell)) continue
        found.rows += 1
        if (found.examples.length === maxExamples) continue
        const example = String(cell).slice(0, longestExample)
        if (!found.examples.includes(example)) found.examples.push(example)
      }
    },
    found: (): readonly Oddity[] => [...watched.map(({ found }) => found), features].filter(({ rows }) => rows > 0),
  }
}

const oddityOf = (attribute: string, kind: Oddity['kind']): Oddity => ({ attribute, kind, rows: 0, examples: [] })

/** Oddities of all rows, in the order of the rows. */
export function joinOddities(first: readonly Oddity[], second: readonly Oddity[]): Oddity[] {
  const joined = first.map((each) => {
    const other = second.find(({ attribute, kind }) => attribute === each.attribute && kind === each.kind)
    if (other === undefined) return each
    const examples = [...new Set([...each.examples, ...other.examples])].slice(0, maxExamples)
    return { ...each, rows: each.rows + other.rows, examples }
  })
  const isNew = ({ attribute, kind }: Oddity): boolean =>
    !first.some((each) => each.attribute === attribute && each.kind === kind)
  return [...joined, ...second.filter(isNew)]
}

const passedOver = (examples: readonly string[]): string =>
  `features that training did not see, such as ${examples.join(', ')}: they are passed over`

/** As a status or an answer says it. */
export function noteOf({ attribute, kind, rows, examples }: Oddity): string {
  if (kind === 'features')
    return `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row has' : 'rows have'} ${passedOver(examples)}`
  const words = examples.map((word) => `'${word}'`).join(', ')
  const some = `attribute '${attribute}': ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row has' : 'rows have'}`
  return kind === 'unseen'
    ? `${some} a word that training did not see, such as ${words}`
    : `${some} true or false in place of a number, such as ${words}, taken as 1 and 0`
}

/** The same of one line. */
export function lineNoteOf({ attribute, kind, examples }: Oddity): string {
  if (kind === 'features') return `the line has ${passedOver(examples)}`
  const [value = ''] = examples
  const said = kind === 'unseen' ? 'is a word that training did not see' : 'is taken as 1 or 0, in place of a number'
  return `attribute '${attribute}': '${value}' ${said}`
}
