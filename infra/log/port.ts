import type { StateChange } from '../memory/state.ts'

/**
 * The port between an acknowledged event and ClickHouse. A queue is one stream's part of the log, named `S.ST`.
 * Lines are JSONEachRow, each ended by a line feed, none of them blank.
 */
export type EventLog = {
  /**
   * Resolves once the lines are safe; appends that come together share a commit. `answers` are remembered with them.
   * `keys` has one for each line, where the stream declares any: lines of one key keep their order. Throws a fault
   * `limited` when the log is full, and nothing is kept; `unavailable` where its broker is silent.
   */
  append(
    queue: string,
    lines: Buffer,
    rows: number,
    answers?: readonly KeyedAnswer[],
    keys?: readonly string[],
  ): Promise<unknown>
  /** Throws the fault with which an append of so many bytes would be refused now. */
  room?(queue: string, bytes: number): void
  /** The answer to a request of that key within the last 24 hours. */
  answered(queue: string, key: string): string | undefined
  close(): Promise<void>
}

/** Lines of one queue. */
export type QueueLines = { readonly queue: string; readonly lines: Buffer; readonly rows: number }

/** The place of a line among those that wait for their turn in a partition: a message, and the lines of it before. */
export type TurnPlace = { readonly offset: number; readonly lines: number }

/** A turn of rules: the lines that it made, and the changes of the rules' state from which they follow. */
export type TurnCommit = {
  /** In their order; none where the state alone changes. */
  readonly lines: readonly QueueLines[]
  readonly changes: readonly StateChange[]
  /** Events that went past a bound, by space. */
  readonly dropped?: readonly { readonly space: string; readonly count: number }[]
  /** Answers to keys of the first queue. */
  readonly answers?: readonly KeyedAnswer[]
  /** Everything before this place of the task's partition has had its turn. */
  readonly place?: TurnPlace
  /** Is called once, in the turn of the event loop in which the outcome is known and before the commit's promise tells it. */
  readonly settled?: (isCommitted: boolean) => void
}

/**
 * The port for turns of rules. A turn is kept as a whole or not at all, and turns are kept in the order of the calls: one that
 * is lost takes all that came after it along, since they may have been made on a state that is not there.
 */
export type TurnLog = {
  /** Resolves once the turn is safe; throws the faults of an append. */
  commit(turn: TurnCommit): Promise<unknown>
  /** Throws the fault with which a turn of so many bytes would be refused now. */
  room?(queue: string, bytes: number): void
  /** A turn is waited for, and none is committed meanwhile: it need not gather more. */
  hurry?(): void
}

/**
 * A client's idempotency key, and the answer to the first request that bore it. `seq` is the `_seq` of its last line.
 * The key is one line's, or with `request` the key of all lines of the append that have no key of their own.
 */
export type KeyedAnswer = {
  readonly key: string
  readonly answer: string
  readonly seq: number
  readonly request?: RequestPart
}

/** The place of an append in the request that a key stands for. */
export type RequestPart = {
  /** The answer that the append before this one kept; undefined for the first. */
  readonly before: string | undefined
  /** Whether more appends follow under the key, so that `answer` is not the last. */
  readonly isMore: boolean
}

/** A run of lines that were committed together. */
export type Chunk = {
  readonly position: number
  readonly rows: number
  readonly lines: Buffer
  /** The fault of a chunk that is not as it was written: none of its lines can be trusted. */
  readonly damage?: string
}

/** The bounds of an insert that may have happened: positions, both included. */
export type Batch = {
  readonly first: number
  readonly last: number
  /** How often its lines are halved: as a whole ClickHouse had no memory for them. */
  readonly cuts?: number
  /** It was under way when the machine lost bytes that were not synced: its tokens, or parts that bear them. */
  readonly isDoubtful?: boolean
}

/**
 * A queue with events that may be in some tables twice: events from `since_us` on, as `_pk`, have to be compared.
 * `noted`: how often that was found since the start.
 */
export type Doubt = { readonly queue: string; readonly since_us: number; readonly noted: number }

/** A feeder's view of a log that Weir keeps itself. */
export type LogSource = {
  /** Queues that hold chunks. */
  queues(): Iterable<string>
  /** The greatest position of a queue that was acknowledged, 0 where there is none. */
  end(queue: string): number
  /** Chunks of a queue in order, from its first; `through` ends them at that position. */
  chunks(queue: string, through?: number): Iterable<Chunk>
  /** The batch that was begun and not finished when the last process ended. */
  begun(queue: string): Batch | undefined
  /** Writes a batch's bounds down, before its insert. */
  begin(queue: string, batch: Batch): Promise<void>
  /** Forgets a batch and its chunks, after its insert; notes a doubt about its events, of which the first has that `_pk`. */
  finish(queue: string, batch: Batch, doubtSince_us?: number): Promise<void>
  doubts(): Doubt[]
  /** Removes a doubt whose events were compared; a doubt that was noted again meanwhile stays. */
  settle(doubt: Doubt): Promise<void>
  /** The position of a queue's first chunk; undefined where it has none. */
  oldest(queue: string): number | undefined
  /**
   * ClickHouse refuses a queue's events, or takes them again: queues that fail share half of the log while others are
   * fed.
   */
  fails(queue: string, isFailing: boolean): void
  /** Bytes of lines of queues that do not fail. */
  wellBytes(): number
  /** Forgets everything of a queue, when its stream is deleted. */
  drop(queue: string): Promise<void>
  /** Bytes of lines that no batch has finished: of one queue, or of all. */
  bytes(queue?: string): number
  /** Is called after each commit, for each queue that it touched with the rows that came to it. */
  onAppend(listener: (queue: string, rows: number) => void): void
}

/** Brings a log's events into ClickHouse: the embedded log's own feeder, or ClickHouse's consumers of Kafka. */
export type Feeder = {
  /**
   * Goes on with the events that an earlier process left in the log. `since_us` is the time from which a queue's events
   * belong to the stream that has its name now, undefined where no stream has it: older events are forgotten.
   */
  resume(since_us: (queue: string) => number | undefined): Promise<void>
  /** Queues with events that may be in some tables twice; `found` is called when there are more. */
  doubts(found?: () => void): Doubt[]
  /** The events of a doubt were compared with the tables. */
  settle(doubt: Doubt): Promise<void>
  /** Queues with a batch that an earlier process began, which some table may have although its token is gone. */
  leftBehind(): readonly string[]
  /** Queues of this process's log that held something since the start. */
  queues(): Iterable<string>
  /** Resolves when all that the log acknowledged of these queues is in ClickHouse; fault `late` after `timeout_ms`. */
  caughtUp(queues: readonly string[], timeout_ms?: number): Promise<void>
  /** Another text whenever the log has acknowledged more of these queues to this process. */
  mark(queues: readonly string[]): string
  /** As `caughtUp`, for readers that follow the queues: it hurries nothing, so that batches stay as large as they are. */
  followed(queues: readonly string[], timeout_ms: number): Promise<void>
  /** Delays a producer that outpaces the feeder, two seconds at most; undefined where there is room. */
  pace(queue?: string): Promise<void> | undefined
  /** Does `work` while no batch of these queues is on its way, one `work` at a time; appends go on. */
  hold<Result>(queues: readonly string[], work: () => Promise<Result>): Promise<Result>
  /** Ends the feeding of a queue and forgets the events that it still holds. */
  forget(queue: string): Promise<void>
  /** How long the oldest line that is not in ClickHouse has waited, in milliseconds; 0 when all are there. */
  lag_ms(): number
  /** Queues that cannot be fed at the moment, and why. */
  failures(): { queue: string; reason: string }[]
  /** Feeds the events that are there, then stops; gives up after `timeout_ms`: the log keeps the rest. */
  close(timeout_ms?: number): Promise<void>
}
