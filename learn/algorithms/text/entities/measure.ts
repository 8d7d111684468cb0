import type { FoundEntity } from './predict.ts'
import type { TaggedText } from './tagged-text.ts'

/** Shares from 0 to 1; 0 where there is nothing to share. `support` is how many entities there are. */
export type EntityMeasure = {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly support: number
}

type Tally = { found: number; right: number; support: number }

/** How well entities were found: an entity counts as found where its bounds and its label are exactly right. */
export function measureEntities(
  texts: readonly TaggedText[],
  found: readonly (readonly FoundEntity[])[],
): EntityMeasure & { readonly labels: Readonly<Record<string, EntityMeasure>> } {
  const tallies = new Map<string, Tally>()
  for (const [index, text] of texts.entries()) addText(tallies, text, found[index] ?? [])
  const labels = Object.fromEntries([...tallies].map(([label, tally]) => [label, measureOf(tally)]))
  return { ...measureOf(sumOf(tallies)), labels }
}

/** Entities of a text that were not found, and those found that are none. */
export function countErrors(text: TaggedText, found: readonly FoundEntity[]): number {
  const tallies = new Map<string, Tally>()
  addText(tallies, text, found)
  const all = sumOf(tallies)
  return all.found + all.support - 2 * all.right
}

function addText(tallies: Map<string, Tally>, { tokens, spans }: TaggedText, found: readonly FoundEntity[]): void {
  const tallyOf = (label: string): Tally => {
    const tally = tallies.get(label) ?? { found: 0, right: 0, support: 0 }
    tallies.set(label, tally)
    return tally
  }
  const wanted = new Set<string>()
  for (const { first, last, label } of spans) {
    wanted.add(`${tokens[first]?.start} ${tokens[last]?.end} ${label}`)
    tallyOf(label).support += 1
  }
  for (const { offset, text, tag } of found) {
    const tally = tallyOf(tag)
    tally.found += 1
    if (wanted.has(`${offset} ${offset + text.length} ${tag}`)) tally.right += 1
  }
}

const sumOf = (tallies: ReadonlyMap<string, Tally>): Tally =>
  [...tallies.values()].reduce(
    (sum, { found, right, support }) => ({
      found: sum.found + found,
      right: sum.right + right,
      support: sum.support + support,
    }),
    { found: 0, right: 0, support: 0 },
  )

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

const measureOf = ({ found, right, support }: Tally): EntityMeasure => ({
  precision: share(right, found),
  recall: share(right, support),
  f1: share(2 * right, found + support),
  support,
})
