import { randomBytes } from 'node:crypto'
import { Fault, fault } from '../../base/faults.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { KeptCatalogue, KeptKind, KeptThing } from '../../infra/catalogue/kept.ts'
import type { Logger } from '../../infra/logger.ts'
import type { CatalogueFollower } from '../../infra/processes/catalogue-follower.ts'
import { createUnfinished, type Unfinished } from '../../infra/unfinished.ts'

export type KeptRemover = {
  /** Under it the kind's things are made and deleted: one change at a time. */
  readonly exclusively: Exclusively
  /** Removes the data for good. */
  remove(thing: KeptThing): Promise<void>
}

/** Sets the data of a kind of thing aside and brings them back. Each step may be cut off anywhere, and is then done again. */
export type Keeper = KeptRemover & {
  /** Takes the thing away from all processes and sets its data aside. `note` writes down another body first. */
  setAside(thing: KeptThing, note: (body: string) => Promise<void>): Promise<void>
  /** Throws a fault `conflict` where the name is taken. */
  checkFree(thing: KeptThing): Promise<void>
  bringBack(thing: KeptThing): Promise<void>
}

/** A stream is set aside and brought back by an edit of its schema, whose states say what a crash leaves. */
export type KeptByEdit = 'stream'

export type Keepers = Readonly<Record<Exclude<KeptKind, KeptByEdit>, Keeper> & Record<KeptByEdit, KeptRemover>>

export type KeptDeps = {
  readonly catalogue: KeptCatalogue
  readonly keepers: () => Keepers
  readonly logger: Logger
  readonly now_us?: () => number
}

/** A deletion by which nothing is lost yet: the time until it is, in hours. */
export type Undo = { readonly hours: number }

/** Things that may be kept at once. */
const maxKept = 1_000
const hour_us = 3_600 * 1e6
const day_us = 24 * hour_us

const keyOf = ({ kind, name }: Pick<KeptThing, 'kind' | 'name'>): string => `${kind} ${name}`

/** The deleted things that are kept for a while: as they were, and under no name. */
export function createKept({ catalogue, keepers, logger, now_us = () => Date.now() * 1000 }: KeptDeps) {
  const works = new Map<KeptKind, Unfinished>()
  /** Things that another process is at, or has left half-done. */
  const leftOver = new Set<string>()

  const unfinishedOf = (kind: KeptKind): Unfinished => {
    const known = works.get(kind)
    if (known) return known
    const { exclusively } = keepers()[kind]
    const made = createUnfinished({ noun: 'deletion', exclusively, logger })
    works.set(kind, made)
    return made
  }

  async function write(thing: KeptThing): Promise<KeptThing> {
    await catalogue.put(thing)
    return thing
  }

  /** Brings a thing to the end of what its state says; under the kind's `exclusively`. */
  async function finish(thing: KeptThing): Promise<KeptThing> {
    if (thing.state === 'removing') {
      await keepers()[thing.kind].remove(thing)
      return write({ ...thing, state: 'gone', body: '' })
    }
    if (thing.kind === 'stream') return thing
    const keeper = keepers()[thing.kind]
    let noted = thing
    if (thing.state === 'keeping') {
      await keeper.setAside(thing, async (body) => {
        noted = await write({ ...noted, body })
      })
      return write({ ...noted, state: 'kept' })
    }
    if (thing.state !== 'restoring') return thing
    await keeper.bringBack(thing)
    return write({ ...thing, state: 'gone', body: '' })
  }

  /** The same, by what the catalogue has: the answer to a write may have been lost. */
  async function finishById(id: string): Promise<void> {
    const thing = await catalogue.one(id)
    if (thing) await finish(thing)
  }

  async function putAndFinish(thing: KeptThing): Promise<KeptThing> {
    try {
      await catalogue.put(thing)
      return await finish(thing)
    } catch (error) {
      logger.error({ err: error, deletion: keyOf(thing), state: thing.state }, 'deletion left half-done, retrying')
      unfinishedOf(thing.kind).later(keyOf(thing), () => finishById(thing.id), error)
      if (error instanceof Fault) throw error
      const outcome = thing.state === 'keeping' ? 'is being deleted, and kept' : 'is coming back'
      throw fault('unavailable', `${keyOf(thing)} ${outcome}: ClickHouse failed amid it, and the rest follows`, {
        cause: error,
      })
    }
  }

  async function finishOrLater(thing: KeptThing): Promise<void> {
    logger.warn({ deletion: keyOf(thing), state: thing.state }, 'deletion was left half-done, ending it')
    await finish(thing).catch((error: unknown) => {
      logger.error({ err: error, deletion: keyOf(thing) }, 'deletion not ended, retrying')
      unfinishedOf(thing.kind).later(keyOf(thing), () => finishById(thing.id), error)
    })
  }

  const isOver = ({ until }: KeptThing): boolean => until <= now_us()

  /** The things that can be brought back, the one deleted last first. */
  async function list(): Promise<KeptThing[]> {
    const all = await catalogue.all()
    return all.filter((thing) => thing.state === 'kept' && !isOver(thing)).toSorted((a, b) => b.deleted - a.deleted)
  }

  /** Of a thing that goes now, and is kept once its `state` says so. */
  async function recordOf(
    thing: Pick<KeptThing, 'kind' | 'name' | 'body' | 'state'>,
    { hours }: Undo,
  ): Promise<KeptThing> {
    if ((await catalogue.all()).length >= maxKept) {
      throw fault(
        'conflict',
        `${maxKept} deleted things are kept already, GET /deleted lists them: undelete some, or delete without undo`,
      )
    }
    const deleted = now_us()
    return { ...thing, id: randomBytes(8).toString('hex'), deleted, until: deleted + hours * hour_us }
  }

  /** The thing that was deleted last under a name; `isMeant` says of which it may be, and may refuse. */
  async function latest(
    kind: KeptKind,
    name: string,
    isMeant?: (thing: KeptThing) => Promise<boolean>,
  ): Promise<KeptThing> {
    const thing = (await list()).find((each) => each.kind === kind && each.name === name)
    if (thing && (!isMeant || (await isMeant(thing)))) return thing
    throw fault(
      'missing',
      `no ${kind} ${JSON.stringify(name.slice(0, 130))} is kept: it was not deleted with undo, or its time is over; GET /deleted lists what can come back`,
    )
  }

  return {
    list,
    latest,
    recordOf,
    write,

    /** Deletes a thing and keeps its data; to be called under the kind's `exclusively`. */
    async keep(
      thing: Pick<KeptThing, 'name' | 'body'> & { readonly kind: Exclude<KeptKind, KeptByEdit> },
      undo: Undo,
    ): Promise<KeptThing> {
      return putAndFinish(await recordOf({ ...thing, state: 'keeping' }, undo))
    },

    /** Brings back what was deleted last under a name. */
    undelete(
      kind: Exclude<KeptKind, KeptByEdit>,
      name: string,
      isMeant?: (thing: KeptThing) => Promise<boolean>,
    ): Promise<KeptThing> {
      const keeper = keepers()[kind]
      return keeper.exclusively(async () => {
        await unfinishedOf(kind).settle(keyOf({ kind, name }))
        const thing = await latest(kind, name, isMeant)
        await keeper.checkFree(thing)
        return putAndFinish({ ...thing, state: 'restoring' })
      })
    },

    /** Removes for good the things whose time is over; answers which. */
    async removeOld(): Promise<KeptThing[]> {
      const removed: KeptThing[] = []
      for (const { id, kind } of (await catalogue.all()).filter((each) => each.state === 'kept' && isOver(each))) {
        await keepers()[kind].exclusively(async () => {
          const thing = await catalogue.one(id)
          if (thing?.state !== 'kept') return
          await putAndFinish({ ...thing, state: 'removing' })
          removed.push(thing)
        })
      }
      await catalogue.forgetGone(now_us() - day_us)
      return removed
    },

    /** Ends the half-done deletion of a thing whose name is to be taken. */
    settle: (kind: KeptKind, name: string): Promise<void> => unfinishedOf(kind).settle(keyOf({ kind, name })),
    unfinished: () => [...works.values()].flatMap((work) => work.list()),

    follower: {
      async load() {
        for (const thing of await catalogue.all()) if (thing.state !== 'kept') await finishOrLater(thing)
      },
      async apply(since: number) {
        for (const { id, state } of await catalogue.since(since)) {
          if (state === 'kept' || state === 'gone') leftOver.delete(id)
          else leftOver.add(id)
        }
      },
      async repair() {
        for (const id of [...leftOver]) {
          const thing = await catalogue.one(id)
          if (thing && thing.state !== 'kept' && thing.state !== 'gone') await finishOrLater(thing)
          leftOver.delete(id)
        }
      },
      hasLeftOvers: () => leftOver.size > 0,
      isEdited: () => false,
    } satisfies CatalogueFollower,

    close(): void {
      for (const work of works.values()) work.stop()
    },
  }
}

export type Kept = ReturnType<typeof createKept>
