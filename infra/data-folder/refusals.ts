import type { Part } from './mark.ts'
import { type Found, waitingIn } from './parts.ts'

export type Refusal = {
  readonly folder: string
  readonly places: { readonly clickhouse: string; readonly log: string }
  /** The address of ClickHouse, absent where it is embedded. */
  readonly server: string | undefined
  readonly clickhouse: Found | undefined
  readonly log: Found | undefined
}

type Text = (refusal: Refusal) => string

export const refusalOf = (text: Text, refusal: Refusal): Error => new Error(text(refusal))

const withoutPassword = (url: string): string => {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** The log that is there, with the number of its events. */
function waitingText({ log, places }: Refusal): string {
  if (!log?.hasData) return 'nothing of its log either'
  const { rows, queues } = waitingIn(places.log)
  return rows === 0
    ? 'its log, in which no event waits'
    : `its log, in which ${rows} acknowledged events of ${queues} queues wait`
}

const missing: Readonly<Record<Part, Text>> = {
  clickhouse: (refusal) => {
    const { folder, places, server } = refusal
    const where =
      server === undefined
        ? `the data of ClickHouse is not there (${places.clickhouse}); in ${folder} is ${waitingText(refusal)}`
        : `ClickHouse at ${withoutPassword(server)} has no schema and no table; in ${folder} is ${waitingText(refusal)}`
    return `${where}. Is a disk not mounted, or DATA_DIR or CLICKHOUSE_URL another one? Put the data back, or restore a backup. START_WITHOUT=clickhouse begins with an empty ClickHouse all the same: schemas, stored events, tables, graphs and keys are lost, and the log is set aside with the events in it`
  },
  log: ({ places, server, log }) => {
    const where = server === undefined ? 'the data of ClickHouse is there' : 'other parts of DATA_DIR are there'
    const found =
      log?.damage === undefined
        ? `the log is not there (${places.log}/log.mdb is missing or empty), while ${where}. Is a disk not mounted? Put the log back, or restore a backup`
        : `the log ${places.log}/log.mdb is damaged: ${log.damage}. Restore a backup`
    return `${found}. START_WITHOUT=log begins with an empty log all the same, and sets a damaged one aside: acknowledged events that were not in ClickHouse yet are lost (some 400 ms of them in normal work), and so are the idempotency keys of the last day and what rules remember`
  },
}

export const isMissing = (part: Part): Text => missing[part]

export const isForeign: Text = (refusal) => {
  const { clickhouse, log, places, server } = refusal
  const other =
    server === undefined
      ? `ClickHouse in ${places.clickhouse} has id ${clickhouse?.mark?.id}`
      : `ClickHouse at ${withoutPassword(server)} has another id`
  const settings =
    'START_WITHOUT=log goes on with this ClickHouse and an empty log: the log that is there is set aside with its events and idempotency keys' +
    (server === undefined
      ? '; START_WITHOUT=clickhouse begins with nothing: both are set aside, with all that ClickHouse has'
      : '')
  return `log and ClickHouse do not belong together: the log in ${places.log} has id ${log?.mark?.id}, ${other}; in ${refusal.folder} is ${waitingText(refusal)}. Put the two together that were together. ${settings}`
}

/** Whether no event waits in a log that an earlier version made: then nothing of it is lost with another ClickHouse. */
export const isEmptyLog = (folder: string): boolean => waitingIn(folder).rows === 0
