import { rmSync } from 'node:fs'
import { open, type RootDatabase } from 'lmdb'
import { ageKey, openRuleTrees, placeOf, recordHead } from '../../../memory/records.ts'
import { openRuleData, type RuleData, readJournalInSteps } from '../../../memory/store.ts'
import type { TurnPlace } from '../../port.ts'
import { needRoom } from '../../shared/disk-room.ts'
import type { KafkaPartition } from '../partition.ts'
import { createPartJoiner, readChangelog } from './changelog.ts'

const nothing = Buffer.alloc(0)

export type Restored = {
  readonly root: RootDatabase
  readonly data: RuleData
  /** Where the partition goes on; undefined where nothing was committed. */
  readonly place: TurnPlace | undefined
  /** The greatest `_seq` that is remembered. */
  readonly lastSeq: number
  /** Bytes of the changelog. */
  readonly length: number
  /** The offset behind its last record. */
  readonly end: number
  /** Whether the changelog begins where it has all that was remembered. */
  readonly isWhole: boolean
}

/** Room that stays free beside what is written: pages that LMDB writes anew, until those of before are free. */
const reservedBytes = 16 * 1024 * 1024
const writtenTimes = 4

/** Writes that go to LMDB together, and how many bytes of messages they are at most. */
const writesAtOnce = 10_000
const bytesAtOnce = 2 * 1024 * 1024

/** Makes the memory of a task anew in a folder, from all that was committed of it. */
export async function restoreMemory(
  path: string,
  partition: Pick<KafkaPartition, 'fetch'>,
  first: number,
): Promise<Restored> {
  rmSync(path, { recursive: true, force: true })
  const root = open({ path, maxDbs: 8, noSync: true, noMemInit: true })
  const trees = openRuleTrees(root)
  let place: TurnPlace | undefined
  let latest: Promise<unknown> = Promise.resolve()
  let writes = 0
  /** Bytes of the messages that may not be on the disk yet. */
  let waiting = 0
  let length = 0
  let isWhole: boolean | undefined
  const joined = createPartJoiner()

  async function put(write: Promise<unknown>): Promise<void> {
    latest = write
    if (++writes % writesAtOnce === 0) await latest
  }

  async function take(message: Buffer): Promise<void> {
    length += message.length
    const whole = joined(message)
    if (!whole) return
    waiting += whole.length
    if (waiting > bytesAtOnce) {
      await latest
      waiting = whole.length
    }
    needRoom(path, reservedBytes + writtenTimes * waiting)
    const { head, records } = readChangelog(whole)
    if (isWhole === undefined) isWhole = first === 0 || head.begins === true
    place = head.place ?? place
    for (const [id, space] of head.spaces ?? []) {
      if (!space) await put(trees.spaces.remove(id))
      else {
        const { isGone, ...kept } = space
        await put(trees.spaces.put(id, { ...kept, ...(isGone && { isGone }) }))
      }
    }
    for (const { tree, key, value } of records) await put(value ? trees[tree].put(key, value) : trees[tree].remove(key))
  }

  try {
    let behind = first
    for (let at = first; ; ) {
      const { records, next, end } = await partition.fetch(at)
      for (const { value } of records) if (value) await take(value)
      behind = end
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
    const data = openRuleData(root)
    const named = await readJournalInSteps(data)
    // Copies of an event have parts of its place.
    lastSeq = Math.ceil(Math.max(lastSeq, named.seq))
    return { root, data, place, lastSeq, length, end: behind, isWhole: isWhole ?? true }
  } catch (error) {
    await root.close()
    throw error
  }
}
