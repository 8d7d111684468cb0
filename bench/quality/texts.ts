/** Texts: lines of scikit-learn's sources by the package that they are of, and sentences made of names that vega-datasets has. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, type Random } from '../../learn/random.ts'
import { vega } from './vega.ts'

export type LabelledText = { readonly label: string; readonly text: string }

const packagesOfSources = [
  'cluster',
  'decomposition',
  'ensemble',
  'feature_selection',
  'linear_model',
  'metrics',
  'neighbors',
  'preprocessing',
] as const
const linesOfText = 8
const mostOfPackage = 400

/** Some lines each; lines that name their package are left out. */
export function sources(packages: string): readonly LabelledText[] {
  return packagesOfSources.flatMap((label) => {
    const folder = join(packages, 'sklearn', label)
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.py'))
      .toSorted()
      .flatMap((file) => {
        const lines = readFileSync(join(folder, file), 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== '' && !line.includes(label))
        return Array.from({ length: Math.floor(lines.length / linesOfText) }, (_, i) =>
          lines.slice(i * linesOfText, (i + 1) * linesOfText).join('\n'),
        )
      })
    const step = Math.max(1, texts.length / mostOfPackage)
    return texts.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).map((text) => ({ label, text }))
  })
}

export type TaggedSentence = {
  readonly text: string
  readonly entities: readonly { readonly start: number; readonly end: number; readonly label: string }[]
}

const patterns = [
  '{person} of {company} went to {place} on Monday.',
  'The film by {person} was sold to {company} for a record sum.',
  'In {place}, {person} and {person} met again.',
  '{company} said that {place} is its largest market.',
  'Who is {person}, whom {company} has hired?',
  'There was nothing new in {place} this week, as the Board had expected.',
  'Shares of {company} fell after {person} left the firm.',
  'Flights from {place} to {place} are late, writes {person}.',
  'The Ministry of Health answered on Tuesday that no figures were known.',
  'Last year {company} opened an office near {place}.',
] as const

/** The names of the unseen sentences are others than those of the sentences that are learnt from. */
export function sentences(count: number, seed: number, isUnseen: boolean): readonly TaggedSentence[] {
  const random = createRandom(2 * seed + (isUnseen ? 1 : 0))
  const names = namesOf(seed, isUnseen)
  return Array.from({ length: count }, () => sentence(patterns[random.below(patterns.length)] ?? '', names, random))
}

type Names = Readonly<Record<string, readonly string[]>>

function namesOf(seed: number, isUnseen: boolean): Names {
  const read = (file: string) => readFileSync(new URL(file, vega), 'utf8')
  const movies = JSON.parse(read('movies.json')) as readonly Readonly<Record<string, string | null>>[]
  const airports = read('airports.csv')
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[2] ?? '')
  const all: Names = {
    person: movies.map((movie) => movie.Director ?? ''),
    company: movies.map((movie) => movie.Distributor ?? ''),
    place: airports,
  }
  const random = createRandom(seed)
  return Object.fromEntries(
    Object.entries(all).map(([kind, values]) => {
      const different = [...new Set(values.map((value) => value.trim()).filter((value) => /^[A-Z]/.test(value)))]
      return [kind, different.filter(() => random.uniform() < 0.3 === isUnseen)]
    }),
  )
}

function sentence(pattern: string, names: Names, random: Random): TaggedSentence {
  const entities: TaggedSentence['entities'][number][] = []
  let text = ''
  for (const part of pattern.split(/(\{\w+\})/)) {
    const kind = /^\{(\w+)\}$/.exec(part)?.[1]
    if (kind === undefined) {
      text += part
      continue
    }
    const known = names[kind] ?? []
    const name = known[random.below(known.length)] ?? ''
    entities.push({ start: text.length, end: text.length + name.length, label: kind })
    text += name
  }
  return { text, entities }
}
