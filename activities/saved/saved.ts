import { fault } from '../../base/faults.ts'
import { parseJson, writeJson } from '../../base/json.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { SavedCatalogue, SavedRecord } from '../../infra/catalogue/saved.ts'
import { recordFollower } from '../../infra/processes/catalogue-follower.ts'
import { decodeQuestion, questionToWire, type SavedQuestion } from '../../sql/saved/definition.ts'
import { isPlace } from '../keys/decode-key.ts'
import type { Place } from '../keys/places.ts'
import type { Version } from './rows.ts'

export type SavedDeps = {
  readonly catalogue: SavedCatalogue
  /** Makes one change at a time, in all processes. */
  readonly exclusively: Exclusively
  readonly now_us: () => number
  /** Deleted names whose latest number is remembered. */
  readonly maxGone?: number
}

/** A version, with its time and its author. */
export type Told = Version & { readonly at: number; readonly author: string }

/** Questions, and bytes of all of them, that every process has in memory. */
const maxQuestions = 10_000
const maxBytes = 64 * 1024 * 1024
/** Versions of a question that are there to be asked; half as many more before older ones are forgotten. */
const keptVersions = 100

type Held = { readonly told: Told; readonly bytes: number }

function toldOf({ name, number, body, places, at, author }: SavedRecord): Told {
  const question = decodeQuestion(parseJson(body, 'the question'), { isKept: true })
  const known = places.filter(isPlace)
  // An empty list would let the question read everything.
  const reached: readonly Place[] = places.length > 0 && known.length === 0 ? [`saved:${name}`] : known
  return { name, number, question, places: reached, at, author }
}

const bodyOf = (question: SavedQuestion): string => writeJson(questionToWire(question))

export type Saving = {
  readonly name: string
  readonly question: SavedQuestion
  readonly places: readonly Place[]
  readonly author: string
}

export type Change = { readonly version: number; readonly isNew: boolean; readonly isChanged: boolean }

/** The saved questions: each change of one is a version, and the latest versions are in memory (docs/saved.md). */
export function createSaved({ catalogue, exclusively, now_us, maxGone = 10_000 }: SavedDeps) {
  const held = new Map<string, Held>()
  /** The latest number of names that were deleted, the one that was deleted first before all others. */
  const gone = new Map<string, number>()
  /** The questions that have a watch or a schedule. */
  const kept = new Map<string, Told>()

  function follow(record: SavedRecord): void {
    const { name, number } = record
    // A deleted name that another process has forgotten begins at version 1 again.
    if (number < lastOf(name) && !(number === 1 && gone.has(name))) return
    kept.delete(name)
    gone.delete(name)
    if (record.state === 'gone') {
      held.delete(name)
      gone.set(name, number)
      return
    }
    const told = toldOf(record)
    held.set(name, { told, bytes: Buffer.byteLength(record.body) })
    if (told.question.watch || told.question.schedule.length > 0) kept.set(name, told)
  }

  function find(name: string): Told {
    const told = present(name)
    if (told) return told
    throw fault('missing', `there is no saved question ${JSON.stringify(name.slice(0, 64))}; GET /saved lists them`)
  }

  const present = (name: string): Told | undefined => held.get(name)?.told

  function refuseFull(name: string, bytes: number): void {
    const all = [...held].filter(([other]) => other !== name)
    const taken = all.reduce((sum, [, each]) => sum + each.bytes, bytes)
    if (all.length >= maxQuestions)
      throw fault(
        'conflict',
        `there are ${maxQuestions} saved questions, which is the most; delete those that nobody asks`,
      )
    if (taken > maxBytes)
      throw fault(
        'conflict',
        `all saved questions together would have over ${maxBytes} bytes; delete those that nobody asks`,
      )
  }

  async function put(record: SavedRecord): Promise<void> {
    await catalogue.put(record)
    follow(record)
    const { name, number } = record
    if (number % (keptVersions / 2) === 0 && number > keptVersions) await catalogue.forget(name, number - keptVersions)
  }

  const goneTooMany = (): [name: string, number: number][] => [...gone].slice(0, Math.max(0, gone.size - maxGone))

  /** Forgets the names that were deleted first, past the bound: a question of such a name begins at version 1 again. */
  async function forgetGone(): Promise<void> {
    for (const [name, number] of goneTooMany()) {
      await catalogue.forget(name, number)
      gone.delete(name)
    }
  }

  /** 0 for a name that was never there, or is forgotten here. */
  const lastOf = (name: string): number => held.get(name)?.told.number ?? gone.get(name) ?? 0

  /** The version that a definition would be, and what would come of it. */
  function wouldSave({ name, question, places }: Saving): Change {
    const present = held.get(name)
    const isSame =
      present !== undefined &&
      bodyOf(present.told.question) === bodyOf(question) &&
      present.told.places.toSorted().join() === places.toSorted().join()
    if (isSame) return { version: present.told.number, isNew: false, isChanged: false }
    return { version: lastOf(name) + 1, isNew: present === undefined, isChanged: true }
  }

  const follower = recordFollower({
    all: async () => (await catalogue.latest()).sort((one, other) => one.at - other.at),
    since: catalogue.since,
    clear() {
      held.clear()
      gone.clear()
      kept.clear()
    },
    follow,
  })

  return {
    follower: {
      ...follower,
      async apply(since: number): Promise<void> {
        await follower.apply(since)
        // The process that deletes forgets them in the catalogue.
        for (const [name] of goneTooMany()) gone.delete(name)
      },
    },
    find,
    present,
    kept: (): Iterable<Told> => kept.values(),
    list: (): Told[] =>
      [...held.values()].map(({ told }) => told).sort((one, other) => (one.name < other.name ? -1 : 1)),

    /** The version of that number; the latest where it is absent. */
    async version(name: string, number?: number): Promise<Told> {
      const latest = find(name)
      if (number === undefined || number === latest.number) return latest
      const record = number < latest.number ? await catalogue.one(name, number) : undefined
      if (record?.state === 'live') return toldOf(record)
      throw fault(
        'missing',
        `the saved question ${name} has no version ${number}; GET /saved/${name} tells which it has`,
      )
    },

    /** The versions that can be asked, the latest first. */
    versions: async (name: string) => {
      const { number: latest } = find(name)
      return (await catalogue.versions(name))
        .filter(({ state, number }) => state === 'live' && number > latest - keptVersions)
        .map(({ number, at, author }) => ({ version: number, at, by: author }))
    },

    /** Since when a question has had something without a break, a deletion of the question being one; 0 for longer than its versions are kept. */
    async since({ name, number, at }: Told, has: (question: SavedQuestion) => boolean): Promise<number> {
      let first = { number, at }
      for (const record of await catalogue.versions(name)) {
        if (record.number >= number) continue
        if (record.state !== 'live' || !has(toldOf(record).question)) return first.at
        first = record
      }
      return first.number === 1 ? first.at : 0
    },

    wouldSave,

    /** Makes a version; a definition that is the present one is none. */
    save: (saving: Saving): Promise<Change> =>
      exclusively(async () => {
        const change = wouldSave(saving)
        const { name, question, places, author } = saving
        if (!change.isChanged) return change
        const body = bodyOf(question)
        refuseFull(name, Buffer.byteLength(body))
        const forgotten = lastOf(name) > 0 ? 0 : ((await catalogue.versions(name))[0]?.number ?? 0)
        const version = change.version + forgotten
        await put({ name, number: version, body, places, author, at: now_us(), state: 'live' })
        return { ...change, version }
      }),

    remove: (name: string, author: string): Promise<void> =>
      exclusively(async () => {
        find(name)
        const number = lastOf(name) + 1
        await put({ name, number, body: '', places: [], author, at: now_us(), state: 'gone' })
        await catalogue.forget(name, number - 1)
        await forgetGone()
      }),
  }
}

export type Saved = ReturnType<typeof createSaved>
