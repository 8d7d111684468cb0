import { deferred } from '../../../../base/deferred.ts'
import { Fault, fault } from '../../../../base/faults.ts'
import { OutcomeUnknown, type Send } from './producer.ts'

/** Events of some appends that are sent together: they are stored all or none. */
export type Batch = {
  readonly parts: Buffer[]
  bytes: number
  /** Resolves when they are stored; rejects when they are refused, perhaps before their outcome is known. */
  readonly done: Promise<void>
  /** Are called in any case, with an outcome that comes after a refusal too. */
  readonly listeners: BatchListener[]
  /** Refused, and forgotten if it has not been sent. */
  expire(): void
}

export type BatchListener = {
  stored(): Promise<void> | undefined
  /** No line of the batch is stored. */
  lost(): void
  /** The batch may be stored as a whole, or not at all; the topic shows which once `over` has resolved. */
  unknown(over: Promise<unknown>): void
}

export type SenderOptions = {
  /** Each batch goes to the next one that is free. */
  readonly partitions: readonly number[]
  readonly batchBytes: number
  readonly messageBytes: number
  /** An append that is not sent by then is refused. */
  readonly wait_ms: number
  readonly send: (send: Send) => Promise<number | undefined>
  readonly onStored: (partition: number, offset: number | undefined) => Promise<void> | undefined
}

type Waiting = Batch & {
  isRefused: boolean
  timer: NodeJS.Timeout
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** A partition that takes longer than this does not hold up lines that may go to another. */
const late_ms = 1_000
/**
 * One that was sent is refused after so many times the wait: whether its events are stored is not known, and a client that
 * sends them again may double them. A broker or a machine that is short of time answers by then.
 */
const sentWaits = 3

/** Lines on their way to partitions: one batch is under way, lines that come meanwhile gather in the next. */
export function createSender({ partitions, batchBytes, messageBytes, wait_ms, send, onStored }: SenderOptions) {
  const free = [...partitions]
  const waiting: Waiting[] = []
  let sending = 0
  let late = 0
  let isScheduled = false
  let failure: string | undefined
  const idle: (() => void)[] = []

  function gather(bytes: number): Waiting {
    const last = waiting.at(-1)
    if (last && last.bytes + bytes <= batchBytes) return last
    const { promise: done, resolve, reject } = deferred()
    const timer = setTimeout(() => {
      if (waiting.includes(batch)) expire(batch)
      else batch.timer = setTimeout(() => expire(batch), (sentWaits - 1) * wait_ms)
    }, wait_ms)
    const batch: Waiting = {
      parts: [],
      bytes: 0,
      done,
      listeners: [],
      isRefused: false,
      timer,
      resolve,
      reject,
      expire: () => expire(batch),
    }
    waiting.push(batch)
    return batch
  }

  function expire(batch: Waiting): void {
    clearTimeout(batch.timer)
    const at = waiting.indexOf(batch)
    const isSent = at === -1
    const what = isSent ? 'has not told whether it has the events: they may be stored' : 'did not take the events'
    const waited_ms = isSent ? sentWaits * wait_ms : wait_ms
    const why = failure === undefined ? '' : ` (${failure})`
    batch.isRefused = true
    batch.reject(fault('unavailable', `Kafka ${what}, ${waited_ms} ms long${why}`, { retryAfter: 1 }))
    if (at === -1) return
    waiting.splice(at, 1)
    for (const listener of batch.listeners) listener.lost()
    settleIdle()
  }

  /** Lines that come in one turn of the event loop go together. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      start()
    })
  }

  function start(): void {
    if (sending > late || free.length === 0) return
    const batch = waiting.shift()
    const partition = batch && free.shift()
    if (batch && partition !== undefined) void deliver(batch, partition)
  }

  async function deliver(batch: Waiting, partition: number): Promise<void> {
    sending++
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      late++
      start()
    }, late_ms)
    try {
      const offset = await send({
        partition,
        values: messagesOf(batch.parts, messageBytes),
        isWanted: () => !batch.isRefused,
        onFailure: (error) => {
          failure = messageOf(error)
        },
      })
      failure = undefined
      await onStored(partition, offset)
      await Promise.all(batch.listeners.map((listener) => listener.stored()))
      batch.resolve()
    } catch (error) {
      for (const listener of batch.listeners) {
        if (error instanceof OutcomeUnknown) listener.unknown(error.over)
        else listener.lost()
      }
      batch.reject(error instanceof Fault ? error : notStored(error))
    } finally {
      clearTimeout(batch.timer)
      clearTimeout(timer)
      if (isLate) late--
      sending--
      free.push(partition)
      start()
      settleIdle()
    }
  }

  function settleIdle(): void {
    if (sending === 0 && waiting.length === 0) for (const resolve of idle.splice(0)) resolve()
  }

  return {
    add(part: Buffer): Batch {
      const batch = gather(part.length)
      batch.parts.push(part)
      batch.bytes += part.length
      schedule()
      return batch
    },
    failure: () => failure,
    /** Resolves once nothing is left to send. */
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        idle.push(resolve)
        settleIdle()
      }),
    /** Refuses the batches that have not been sent. */
    refuse(): void {
      for (const batch of [...waiting]) expire(batch)
    },
  }
}

export type Sender = ReturnType<typeof createSender>

const notStored = (cause: unknown): Fault =>
  fault('unavailable', `Kafka did not take the events, or did not tell: ${messageOf(cause)}`, { retryAfter: 1, cause })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Several rows a message: short parts are joined, until a message is long enough. */
function messagesOf(parts: readonly Buffer[], messageBytes: number): Buffer[] {
  const messages: Buffer[] = []
  let [joined, bytes]: [Buffer[], number] = [[], 0]
  const end = (): void => {
    if (bytes > 0) messages.push(joined.length === 1 && joined[0] ? joined[0] : Buffer.concat(joined, bytes))
    ;[joined, bytes] = [[], 0]
  }
  for (const part of parts) {
    if (bytes + part.length > messageBytes) end()
    joined.push(part)
    bytes += part.length
  }
  end()
  return messages
}
