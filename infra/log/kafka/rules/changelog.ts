import { z } from 'zod'
import type { KeptSpace } from '../../../memory/records.ts'
import type { Plan } from '../../../memory/store.ts'
import type { TurnPlace } from '../../port.ts'

/**
 * A message of the changelog of a task: what a commit changed of the memory, or a part of a checkpoint. The memory is what
 * all messages leave, taken in their order, from the beginning of a checkpoint that is whole.
 *
 * The bytes of a message: the length of its head in four, the head as JSON, then record by record the length of its key in
 * one (0: the record is of the journal, and its key has eight), of its value in four (all bits set: the record is gone), the
 * key, the value.
 */
export type ChangelogMessage = { readonly head: Head; readonly records: Iterable<ChangelogRecord> }
export type ChangelogRecord = {
  readonly tree: 'records' | 'journal'
  readonly key: Buffer
  readonly value: Buffer | undefined
}

const keptSpace = z.object({
  name: z.string(),
  bytes: z.number(),
  dropped: z.number(),
  isGone: z.literal(true).optional(),
})
const headShape = z.object({
  /** Everything before this place has been taken. */
  place: z.object({ offset: z.number(), lines: z.number() }).optional(),
  /** By number; null: it is gone. */
  spaces: z.array(z.tuple([z.number(), keptSpace.nullable()])).optional(),
  /** A checkpoint begins with it: nothing before is needed once the checkpoint is whole. */
  begins: z.literal(true).optional(),
  /** It bears a part of a message that brokers would not take as one; the last part is so marked. */
  part: z.enum(['goes on', 'last']).optional(),
})
type Head = z.infer<typeof headShape>

/** Messages of a size of which many can be read at once. */
const messageBytes = 450_000
/** Brokers take no more by default, with what goes around a message. */
const maxMessageBytes = 900_000
const lengthBytes = 4
const recordHeadBytes = 5
const ordinalBytes = 8
const gone = 0xffffffff

/** The messages of a commit: the first has all that is not a record. */
export function changelogOf({ writes, spaces }: Pick<Plan, 'writes' | 'spaces'>, place: TurnPlace): Buffer[] {
  const head: Head = {
    place,
    ...(spaces.size > 0 && { spaces: [...spaces].map(([id, space]) => [id, space ? shown(space) : null]) }),
  }
  return messagesOf(head, writes.filter(isLogged))
}

/** Ages follow from records. */
const isLogged = (write: Plan['writes'][number]): write is ChangelogRecord => write.tree !== 'ages'

const shown = ({ name, bytes, dropped, isGone }: KeptSpace): KeptSpace => ({
  ...{ name, bytes, dropped },
  ...(isGone && { isGone }),
})

/** The first message of a checkpoint, with all spaces that are there. */
export const checkpointBegins = (spaces: Iterable<readonly [number, KeptSpace]>, records: readonly ChangelogRecord[]) =>
  messagesOf({ begins: true, spaces: [...spaces].map(([id, space]) => [id, shown(space)]) }, records)

export const checkpointGoesOn = (records: readonly ChangelogRecord[]): Buffer[] => messagesOf({}, records)

function messagesOf(first: Head, records: readonly ChangelogRecord[]): Buffer[] {
  const messages: Buffer[] = []
  const put = (message: Buffer): void => {
    if (message.length <= maxMessageBytes) messages.push(message)
    else messages.push(...partsOf(message))
  }
  let head = Buffer.from(JSON.stringify(first))
  let from = 0
  let bytes = 0
  const end = (to: number): void => {
    const message = Buffer.allocUnsafe(lengthBytes + head.length + bytes)
    let at = message.writeUInt32BE(head.length, 0)
    at += head.copy(message, at)
    for (let i = from; i < to; i++) {
      const record = records[i]
      if (record) at = write(message, at, record)
    }
    put(message)
    ;[head, from, bytes] = [nothingMore, to, 0]
  }
  for (let i = 0; i < records.length; i++) {
    const record = records[i]
    if (!record) continue
    const length = recordHeadBytes + record.key.length + (record.value?.length ?? 0)
    if (bytes > 0 && bytes + length > messageBytes) end(i)
    bytes += length
  }
  end(records.length)
  return messages
}

const nothingMore = Buffer.from('{}')

/** A value of a rule may be as long as the events that it has. */
function partsOf(message: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < message.length; at += messageBytes) {
    const part = message.subarray(at, at + messageBytes)
    const head = Buffer.from(JSON.stringify({ part: at + messageBytes < message.length ? 'goes on' : 'last' }))
    const length = Buffer.allocUnsafe(lengthBytes)
    length.writeUInt32BE(head.length)
    parts.push(Buffer.concat([length, head, part]))
  }
  return parts
}

/** Joins the parts of messages that were cut; undefined until the last one is there. */
export function createPartJoiner() {
  let parts: Buffer[] = []
  return (message: Buffer): Buffer | undefined => {
    const end = lengthBytes + message.readUInt32BE(0)
    const { part } = headShape.parse(JSON.parse(message.toString('utf8', lengthBytes, end)))
    if (part === undefined) return message
    parts.push(message.subarray(end))
    if (part === 'goes on') return undefined
    const whole = Buffer.concat(parts)
    parts = []
    return whole
  }
}

function write(message: Buffer, start: number, { tree, key, value }: ChangelogRecord): number {
  message[start] = tree === 'records' ? key.length : 0
  let at = message.writeUInt32BE(value ? value.length : gone, start + 1)
  message.set(key, at)
  at += key.length
  if (!value) return at
  message.set(value, at)
  return at + value.length
}

export function readChangelog(message: Buffer): ChangelogMessage {
  const end = lengthBytes + message.readUInt32BE(0)
  const head = headShape.parse(JSON.parse(message.toString('utf8', lengthBytes, end)))
  return { head, records: recordsFrom(message, end) }
}

function* recordsFrom(message: Buffer, start: number): Iterable<ChangelogRecord> {
  for (let at = start; at < message.length; ) {
    const tree = message[at] === 0 ? 'journal' : 'records'
    const keyLength = message[at] || ordinalBytes
    const key = message.subarray(at + recordHeadBytes, at + recordHeadBytes + keyLength)
    const length = message.readUInt32BE(at + 1)
    at += recordHeadBytes + keyLength
    yield { tree, key, value: length === gone ? undefined : message.subarray(at, at + length) }
    if (length !== gone) at += length
  }
}
