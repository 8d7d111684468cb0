import { setImmediate as turn } from 'node:timers/promises'
import { Fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import type { SavedQuestion } from '../../sql/saved/definition.ts'
import type { Place } from '../keys/places.ts'
import type { Saved, Told } from './saved.ts'
import type { Trial } from './trial.ts'

/** A part of a schema that an edit drops or changes, such as the attribute `visits.country`. */
export type TouchedPart = { readonly what: string; readonly name: string; readonly stream?: string }

export type Suspect = { readonly told: Told; readonly parts: readonly TouchedPart[] }

/** Whether a caller may know of a place. */
type Sees = (place: Place) => boolean

export type DependentsDeps = { readonly saved: Pick<Saved, 'list'>; readonly trial: Trial }

/** Questions that one answer names, and that one edit tries; the rest is counted. */
const maxNamed = 20
const maxTried = 100
/** The characters of texts that are looked through before other work has its turn. */
const maxText = 1_000_000

/** Finds the saved questions that ask what a change takes away. Names are looked for in their texts, strings and comments included. */
export function createDependents({ saved, trial }: DependentsDeps) {
  async function among(isMeant: (question: SavedQuestion) => boolean): Promise<Told[]> {
    const found: Told[] = []
    let read = 0
    for (const told of saved.list()) {
      if (isMeant(told.question)) found.push(told)
      read += told.question.sql.length
      if (read < maxText) continue
      read = 0
      await turn()
    }
    return found
  }

  /** Notes of a deletion: the questions that ask a database, or a thing in it. */
  async function notesOfDeletion(sees: Sees, database: string, thing?: string): Promise<string[]> {
    const found = await among((question) => asks(question, database, thing))
    const what = thing === undefined ? database : `${database}.${thing}`
    return listed(
      sees,
      found.map((told) => [told, `asks ${what}`] as const),
    )
  }

  /** Notes of a bucket's deletion: the questions whose schedules write into it. */
  async function notesOfBucket(sees: Sees, bucket: string): Promise<string[]> {
    const found = await among(({ schedule }) => schedule.some(({ into }) => into?.bucket === bucket))
    return listed(
      sees,
      found.map((told) => [told, `writes its answers into bucket ${bucket}`] as const),
    )
  }

  /** The questions that name parts which an edit of the schema drops or changes. */
  async function suspects(schema: string, parts: readonly TouchedPart[]): Promise<Suspect[]> {
    if (parts.length === 0) return []
    const sought = parts.flatMap((part) => {
      const traces = tracesOf[part.what]?.(part)
      return traces ? [{ part, ...traces }] : []
    })
    const partsIn = (question: SavedQuestion): TouchedPart[] =>
      sought.flatMap(({ part, thing, words, isStem }) =>
        asks(question, schema, thing) && words.every((word) => hasWord(question.sql, word, isStem)) ? [part] : [],
      )
    const found = await among((question) => partsIn(question).length > 0)
    return found.map((told) => ({ told, parts: partsIn(told.question) }))
  }

  /** Notes of an edit that is only tried. */
  const notesOfTrial = (sees: Sees, suspects: readonly Suspect[]): string[] =>
    listed(
      sees,
      suspects.map(({ told, parts }) => [told, `names ${namesOf(parts)}, and may be asked no more`] as const),
    )

  /** Notes of an edit that stands: the suspects that cannot be asked now, each with its reason. */
  async function notesOfEdit(sees: Sees, suspects: readonly Suspect[], gone: AbortSignal): Promise<string[]> {
    const broken: (readonly [Told, string])[] = []
    for (const { told, parts } of suspects.slice(0, maxTried)) {
      const reason = await reasonOf(told, gone)
      if (reason !== undefined)
        broken.push([told, `cannot be asked any more, since it names ${namesOf(parts)}: ${reason}`])
    }
    const untried = suspects.slice(maxTried).map(({ told, parts }) => [told, `names ${namesOf(parts)}`] as const)
    return listed(sees, [...broken, ...untried])
  }

  async function reasonOf(told: Told, gone: AbortSignal): Promise<string | undefined> {
    try {
      await trial(told.question, { by: '', user: 'edits', gone, caller: undefined })
      return undefined
    } catch (error) {
      if (error instanceof Refusal) return error.problems.join('; ')
      // Of other errors it is not known whether the question is at fault.
      if (error instanceof Fault && ['invalid', 'missing'].includes(error.kind)) return error.message.split('\n', 1)[0]
      return undefined
    }
  }

  return {
    isEmpty: (): boolean => saved.list().length === 0,
    notesOfDeletion,
    notesOfBucket,
    suspects,
    notesOfTrial,
    notesOfEdit,
  }
}

export type Dependents = ReturnType<typeof createDependents>

function listed(sees: Sees, found: readonly (readonly [told: Told, says: string])[]): string[] {
  const seen = found.filter(([{ name }]) => sees(`saved:${name}`))
  const notes = seen.slice(0, maxNamed).map(([{ name }, says]) => `the saved question ${name} ${says}`)
  const others = found.length - notes.length
  return others === 0 ? notes : [...notes, `${others} more saved questions are concerned`]
}

const maxParts = 5

const namesOf = (parts: readonly TouchedPart[]): string =>
  [
    ...parts.slice(0, maxParts).map(({ what, name }) => `${what} ${name}`),
    ...(parts.length > maxParts ? [`${parts.length - maxParts} parts more`] : []),
  ].join(', ')

/** `isStem`: the columns of views have the word with an ending, such as `price_sum`. */
type Traces = { readonly thing: string; readonly words: readonly string[]; readonly isStem?: boolean }

/** `visits.country`: the stream or entity, and each step of the name of its attribute. */
function dotted({ name }: TouchedPart): Traces {
  const [thing = '', ...words] = name.split('.')
  return { thing, words }
}

/** The names in the text of a question that may mean a part, by its kind; questions name no other parts. */
const tracesOf: Readonly<Record<string, (part: TouchedPart) => Traces>> = {
  stream: ({ name }) => ({ thing: name, words: [] }),
  attribute: dotted,
  'computed attribute': dotted,
  statistic: (part) => ({ ...dotted(part), isStem: true }),
  entity: dotted,
  window: dotted,
  'group-by': ({ name, stream = '' }) => ({ thing: stream, words: name.split(' groupby ')[1]?.split(':') ?? [] }),
}

const isOfWord = (text: string, at: number): boolean => /^[\w$]$/.test(text.charAt(at))

/** The ends of a name in a text, where it is no end of a longer one. */
function* endsOf(text: string, name: string): Generator<number> {
  if (name === '') return
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isOfWord(text, at - 1)) yield at + name.length
}

/** Whether a name ends there, or goes on as a stem does: `visits_by_60s` is a view of `visits`. */
const isEnd = (text: string, end: number, isStem: boolean): boolean =>
  !isOfWord(text, end) || (isStem && text.charAt(end) === '_')

const hasWord = (text: string, word: string, isStem = false): boolean =>
  [...endsOf(text, word)].some((end) => isEnd(text, end, isStem))

const blank = new Set([' ', '\t', '\r', '\n', '`', '"'])

function behindBlanks(text: string, from: number): number {
  let at = from
  while (blank.has(text.charAt(at))) at++
  return at
}

/** Whether a text names something in a database, or a thing of that name there; a view of a stream begins with its name. */
function asks({ sql, db }: SavedQuestion, database: string, thing?: string): boolean {
  const isHome = db === database
  if (isHome && (thing === undefined || hasWord(sql, thing, true))) return true
  for (const end of endsOf(sql, database)) {
    const dot = behindBlanks(sql, end)
    if (sql.charAt(dot) !== '.') continue
    const begin = behindBlanks(sql, dot + 1)
    if (thing === undefined || (sql.startsWith(thing, begin) && isEnd(sql, begin + thing.length, true))) return true
  }
  return false
}
