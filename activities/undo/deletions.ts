import { randomBytes } from 'node:crypto'
import { Fault, fault } from '../../base/faults.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { Deletion, DeletionCatalogue, DeletionKind } from '../../infra/catalogue/deletions.ts'
import type { Logger } from '../../infra/logger.ts'
import type { CatalogueFollower } from '../../infra/processes/catalogue-follower.ts'
import { createUnfinished, type Unfinished } from '../../infra/unfinished.ts'

export type Remover = {
  /** Under it the kind's things are made and deleted: one change at a time. */
  readonly exclusively: Exclusively
  /** Removes the data for good. */
  remove(thing: Deletion): Promise<void>
}

/** Sets the data of a kind of thing aside and brings them back. Each step may be cut off anywhere, and is then done again. */
export type Restorer = Remover & {
  /** Takes the thing away from all processes and sets its data aside. `note` writes down another body first. */
  setAside(thing: Deletion, note: (body: string) => Promise<void>): Promise<void>
  /** Throws a fault `conflict` where the name is taken. */
  checkFree(thing: Deletion): Promise<void>
  bringBack(thing: Deletion): Promise<void>
}

/** A stream is set aside and brought back by an edit of its schema, whose states say what a crash leaves. */
export type UndoneByEdit = 'stream'

export type Restorers = Readonly<Record<Exclude<DeletionKind, UndoneByEdit>, Restorer> & Record<UndoneByEdit, Remover>>

export type DeletionsDeps = {
  readonly catalogue: DeletionCatalogue
  readonly restorers: () => Restorers
  readonly logger: Logger
  readonly now_us?: () => number
}

/** How a client wants a deletion: that it can be undone for some hours. */
export type Undo = { readonly hours: number }

/** Deletions that can be undone at one time. */
const maxDeletions = 1_000
const hour_us = 3_600 * 1e6
const day_us = 24 * hour_us

const keyOf = ({ kind, name }: Pick<Deletion, 'kind' | 'name'>): string => `${kind} ${name}`

/** Deletions that can be undone for a while: the data of each thing stay as they were, under no name. */
export function createDeletions({ catalogue, restorers, logger, now_us = () => Date.now() * 1000 }: DeletionsDeps) {
  const works = new Map<DeletionKind, Unfinished>()
  /** Things that another process is at, or has left half-done. */
  const leftOver = new Set<string>()

  const unfinishedOf = (kind: DeletionKind): Unfinished => {
    const known = works.get(kind)
    if (known) return known
    const { exclusively } = restorers()[kind]
    const made = createUnfinished({ noun: 'deletion', exclusively, logger })
    works.set(kind, made)
    return made
  }

  async function write(thing: Deletion): Promise<Deletion> {
    await catalogue.put(thing)
    return thing
  }

  /** Brings a thing to the end of what its state says; under the kind's `exclusively`. */
  async function finish(thing: Deletion): Promise<Deletion> {
    if (thing.state === 'removing') {
      await restorers()[thing.kind].remove(thing)
      return write({ ...thing, state: 'gone', body: '' })
    }
    if (thing.kind === 'stream') return thing
    const restorer = restorers()[thing.kind]
    let noted = thing
    if (thing.state === 'keeping') {
      await restorer.setAside(thing, async (body) => {
        noted = await write({ ...noted, body })
      })
      return write({ ...noted, state: 'kept' })
    }
    if (thing.state !== 'restoring') return thing
    await restorer.bringBack(thing)
    return write({ ...thing, state: 'gone', body: '' })
  }

  /** Finishes a deletion in the state that the catalogue has: the answer to the last write may have been lost. */
  async function finishById(id: string): Promise<void> {
    const thing = await catalogue.one(id)
    if (thing) await finish(thing)
  }

  async function putAndFinish(thing: Deletion): Promise<Deletion> {
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

  async function finishOrLater(thing: Deletion): Promise<void> {
    logger.warn({ deletion: keyOf(thing), state: thing.state }, 'deletion was left half-done, ending it')
    await finish(thing).catch((error: unknown) => {
      logger.error({ err: error, deletion: keyOf(thing) }, 'deletion not ended, retrying')
      unfinishedOf(thing.kind).later(keyOf(thing), () => finishById(thing.id), error)
    })
  }

  const isOver = ({ until }: Deletion): boolean => until <= now_us()

  /** The things that can be brought back, the one deleted last first. */
  async function list(): Promise<Deletion[]> {
    const all = await catalogue.all()
    return all.filter((thing) => thing.state === 'kept' && !isOver(thing)).toSorted((a, b) => b.deleted - a.deleted)
  }

  /** Makes the record of a deletion that begins now. */
  async function recordOf(
    thing: Pick<Deletion, 'kind' | 'name' | 'body' | 'state'>,
    { hours }: Undo,
  ): Promise<Deletion> {
    if ((await catalogue.all()).length >= maxDeletions) {
      throw fault(
        'conflict',
        `${maxDeletions} deleted things are kept already, GET /deleted lists them: undelete some, or delete without undo`,
      )
    }
    const deleted = now_us()
    return { ...thing, id: randomBytes(8).toString('hex'), deleted, until: deleted + hours * hour_us }
  }

  /** The thing that was deleted last under a name; `isMeant` says of which it may be, and may refuse. */
  async function latest(
    kind: DeletionKind,
    name: string,
    isMeant?: (thing: Deletion) => Promise<boolean>,
  ): Promise<Deletion> {
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

    /** Deletes a thing and sets its data aside; to be called under the kind's `exclusively`. */
    async setAside(
      thing: Pick<Deletion, 'name' | 'body'> & { readonly kind: Exclude<DeletionKind, UndoneByEdit> },
      undo: Undo,
    ): Promise<Deletion> {
      return putAndFinish(await recordOf({ ...thing, state: 'keeping' }, undo))
    },

    /** Brings back what was deleted last under a name. */
    undelete(
      kind: Exclude<DeletionKind, UndoneByEdit>,
      name: string,
      isMeant?: (thing: Deletion) => Promise<boolean>,
    ): Promise<Deletion> {
      const restorer = restorers()[kind]
      return restorer.exclusively(async () => {
        await unfinishedOf(kind).settle(keyOf({ kind, name }))
        const thing = await latest(kind, name, isMeant)
        await restorer.checkFree(thing)
        return putAndFinish({ ...thing, state: 'restoring' })
      })
    },

    /** Removes for good the things whose time is over; answers which. */
    async removeOld(): Promise<Deletion[]> {
      const removed: Deletion[] = []
      for (const { id, kind } of (await catalogue.all()).filter((each) => each.state === 'kept' && isOver(each))) {
        await restorers()[kind].exclusively(async () => {
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
    settle: (kind: DeletionKind, name: string): Promise<void> => unfinishedOf(kind).settle(keyOf({ kind, name })),
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

export type Deletions = ReturnType<typeof createDeletions>
