import type { RootDatabase } from 'lmdb'
import type { RuleUsage } from '../../memory/state.ts'
import type { createRuleState } from '../../memory/store.ts'
import type { TurnPlace } from '../port.ts'
import { type Commit, committed } from '../shared/commit.ts'
import { needRoom } from '../shared/disk-room.ts'
import { cutLines } from './produce/queue.ts'
import { changelogOf } from './rules/changelog.ts'
import { type CheckpointDeps, createCheckpoints } from './rules/checkpoints.ts'
import { noteText, type TaskNotes } from './rules/task-notes.ts'
import type { GroupPlace, Output, Transactions } from './transactions.ts'

export type TurnWritingDeps = {
  readonly root: RootDatabase
  /** The folder of `root`. */
  readonly path: string
  readonly rules: ReturnType<typeof createRuleState>
  readonly transactions: Pick<Transactions, 'commit'>
  readonly notes: Pick<TaskNotes, 'noteMade'>
  /** The topic of a queue, and the partition of it that is the task's. */
  readonly target: (queue: string) => Promise<{ readonly topic: string; readonly partition: number }>
  readonly memory: { readonly topic: string; readonly partition: number }
  /** The group of the tasks, and the partition whose offset is committed. */
  readonly turns: Omit<GroupPlace, 'offset' | 'note'>
  readonly place: TurnPlace
  /** The last lines of each queue in the task's partition. */
  readonly made: Map<string, readonly [partition: number, offset: number]>
  readonly usage: () => ReadonlyMap<string, RuleUsage>
  readonly changelog: Pick<CheckpointDeps, 'length' | 'truncate' | 'minLength'> & { readonly end: number }
}

/** Room that stays free on the disk: LMDB must not find it full. */
const reservedBytes = 16 * 1024 * 1024
const tellEvery_ms = 3_600_000
/** Messages of a size of which many can be read at once. */
const messageBytes = 450_000

export const isBehind = (one: TurnPlace, other: TurnPlace): boolean =>
  one.offset < other.offset || (one.offset === other.offset && one.lines < other.lines)

/** Brings commits of a task to Kafka, each in one transaction with its part of the changelog and the place in the partition. */
export function createTurnWriting(deps: TurnWritingDeps) {
  const { root, path, rules, transactions, notes, target, memory, turns, made, usage } = deps
  const checkpoints = createCheckpoints({ root, bytes: rules.store.bytes, ...deps.changelog })
  /** Everything before is committed. */
  let { place } = deps
  /** A place that is not told for days is forgotten by the brokers, though it stands in the memory. */
  let told_ms = Number.NEGATIVE_INFINITY
  let { end } = deps.changelog

  const isStale = (): boolean => performance.now() - told_ms > tellEvery_ms

  /** Brings a commit to Kafka and to the memory on the disk; `at`: the place behind its turns. */
  async function write(commit: Commit, at: TurnPlace | undefined): Promise<void> {
    const next = at ?? place
    const plan = rules.plan(commit)
    const isMoved = isBehind(place, next) || isStale()
    if (commit.queues.size === 0 && plan.writes.length === 0 && plan.spaces.size === 0 && !isMoved) {
      rules.kept(plan)
      return
    }
    needRoom(path, reservedBytes + rules.roomFor(plan))
    const part = checkpoints.part()
    const messages = [...(part?.messages ?? []), ...changelogOf(plan, next)]
    const outputs: Output[] = [{ ...memory, values: messages }]
    const queues = new Map<string, { readonly queue: string; readonly partition: number }>()
    for (const [queue, { lines }] of commit.queues) {
      if (lines.length === 0) continue
      const to = await target(queue)
      outputs.push({ ...to, values: joined(lines) })
      queues.set(to.topic, { queue, partition: to.partition })
    }
    const { group, ...ofTurns } = turns
    let first = 0
    // After a failure the memory on this disk is thrown away, so that it need not wait for Kafka.
    await Promise.all([
      transactions.commit(outputs, group, (stored) => {
        const ofMemory = stored.get(memory.topic)
        first = ofMemory?.first ?? 0
        if (first < end) throw new Error(`topic ${memory.topic} was deleted, and another one has its name`)
        end = (ofMemory?.last ?? first) + 1
        for (const [topic, { last }] of stored) {
          const of = queues.get(topic)
          if (!of) continue
          // Queues that were written last stand behind the others.
          made.delete(of.queue)
          made.set(of.queue, [of.partition, last])
        }
        return { ...ofTurns, offset: next.offset, note: noteText(made, usage(), next.lines) }
      }),
      committed(rules.put(plan)),
    ])
    place = next
    told_ms = performance.now()
    for (const { queue, partition } of queues.values()) notes.noteMade(queue, partition, made.get(queue)?.[1] ?? -1)
    checkpoints.committed(
      part,
      first,
      messages.reduce((sum, { length }) => sum + length, 0),
    )
    rules.kept(plan)
  }

  return { write, isStale }
}

function joined(lines: readonly Buffer[]): Buffer[] {
  const messages: Buffer[] = []
  let [part, bytes]: [Buffer[], number] = [[], 0]
  const end = (): void => {
    if (bytes > 0) messages.push(Buffer.concat(part, bytes))
    ;[part, bytes] = [[], 0]
  }
  for (const each of lines.flatMap((given) => [...cutLines(given, messageBytes)])) {
    if (bytes + each.length > messageBytes) end()
    part.push(each)
    bytes += each.length
  }
  end()
  return messages
}
