import { rmSync } from 'node:fs'
import { open, type RootDatabase } from 'lmdb'
import { z } from 'zod'
import { ageKey, openRuleTrees, placeOf, recordHead } from '../../embedded/rule-records.ts'
import type { Plan } from '../../embedded/rule-state.ts'
import type { TurnPlace } from '../../rule-tasks.ts'
import type { KafkaPartition } from '../partition.ts'

/** A record of the topic of what rules remember: the last one of a key holds, one without a value is gone. */
export type MemoryRecord = { readonly key: Buffer; readonly value: Buffer | null }

/** The kind of a record, in the first byte of its key. */
const kinds = { place: 0, record: 1, space: 2 } as const

const keyOf = (kind: keyof typeof kinds, rest: Buffer = nothing): Buffer =>
  Buffer.concat([Buffer.from([kinds[kind]]), rest])

const nothing = Buffer.alloc(0)

const keptSpace = z.object({
  name: z.string(),
  bytes: z.number(),
  dropped: z.number(),
  isGone: z.literal(true).optional(),
})
const keptPlace = z.object({ offset: z.number(), lines: z.number() })

function spaceKey(id: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(id)
  return bytes
}

/** The writes of a commit as records; ages follow from the others. */
export function recordsOf({ writes, spaces }: Pick<Plan, 'writes' | 'spaces'>, place: TurnPlace): MemoryRecord[] {
  const records: MemoryRecord[] = [{ key: keyOf('place'), value: Buffer.from(JSON.stringify(place)) }]
  for (const { tree, key, value } of writes) {
    if (tree === 'records') records.push({ key: keyOf('record', key), value: value ?? null })
  }
  for (const [id, space] of spaces) {
    records.push({ key: keyOf('space', spaceKey(id)), value: space ? Buffer.from(JSON.stringify(space)) : null })
  }
  return records
}

export type Restored = {
  readonly root: RootDatabase
  /** Where the partition goes on; undefined where nothing was committed. */
  readonly place: TurnPlace | undefined
  /** The greatest `_seq` that is remembered. */
  readonly lastSeq: number
}

/** Writes that go to LMDB together. */
const writesAtOnce = 10_000

/** Makes the memory of a task anew in a folder, from all that was committed of it. */
export async function restoreMemory(path: string, partition: KafkaPartition, first: number): Promise<Restored> {
  rmSync(path, { recursive: true, force: true })
  const root = open({ path, maxDbs: 8, noSync: true, noMemInit: true })
  const trees = openRuleTrees(root)
  let place: TurnPlace | undefined
  let latest: Promise<unknown> = Promise.resolve()
  let writes = 0

  async function put(write: Promise<unknown>): Promise<void> {
    latest = write
    if (++writes % writesAtOnce === 0) await latest
  }

  async function take(key: Buffer, value: Buffer | null): Promise<void> {
    const rest = key.subarray(1)
    if (key[0] === kinds.place) place = value ? keptPlace.parse(JSON.parse(value.toString())) : undefined
    else if (key[0] === kinds.record) await put(value ? trees.records.put(rest, value) : trees.records.remove(rest))
    else if (value) {
      const { isGone, ...space } = keptSpace.parse(JSON.parse(value.toString()))
      await put(trees.spaces.put(rest.readUInt32BE(), { ...space, ...(isGone && { isGone }) }))
    } else await put(trees.spaces.remove(rest.readUInt32BE()))
  }

  try {
    for (let at = first; ; ) {
      const { records, next, end } = await partition.fetch(at)
      for (const { key, value } of records) if (key) await take(key, value)
      if (next >= end) break
      at = next
    }
    await latest
    let lastSeq = 0
    for (const { key, value } of trees.records.getRange()) {
      const { age, aged } = recordHead(placeOf(key).seq, value)
      lastSeq = Math.max(lastSeq, age)
      await put(trees.ages.put(ageKey(key, aged), nothing))
    }
    await latest
    return { root, place, lastSeq }
  } catch (error) {
    await root.close()
    throw error
  }
}
