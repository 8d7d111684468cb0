import { fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'

const members: readonly (readonly [member: string, what: string, isThere: (stream: Stream) => boolean])[] = [
  ['refr', 'references', ({ references }) => references.length > 0],
  ['join', 'joins', ({ rules }) => rules.some(({ kind }) => kind === 'join')],
  ['cepq', 'patterns', ({ rules }) => rules.some(({ kind }) => kind === 'pattern')],
  ['fltr', 'conditions over a moving time', ({ movingFilters }) => movingFilters.length > 0],
  ['fltr', 'computed attributes of filters', ({ filters }) => filters.some(({ computed = [] }) => computed.length > 0)],
  ['catr', 'computed attributes of derived streams', ({ kind, computed }) => kind !== 'input' && computed.length > 0],
  ['catr', 'predictions from last values', ({ computed }) => computed.some(({ lag }) => lag !== undefined)],
  ['type', 'streams of type 3', ({ kind }) => kind === 'join'],
]

type Found = { readonly path: string; readonly what: string }

/** The members of a schema that remember events. */
const ruleMembers = ({ streams }: Schema): Found[] =>
  streams.flatMap((stream, index) =>
    members.flatMap(([member, what, isThere]) =>
      isThere(stream) ? [{ path: `streams[${index}].${member}`, what }] : [],
    ),
  )

export type CheckRulesDeps = {
  /** Whether the log keeps the memory of rules. */
  readonly isKept: boolean
  /** Other processes that live on the same ClickHouse, each with a log of its own. */
  readonly livingWithLogs: () => Promise<ReadonlySet<string>>
  readonly isTable: (database: string, table: string) => boolean
}

/** Whether the rules of a schema that is registered or edited can be kept here; throws why not. */
export async function checkRules(schema: Schema, { isKept, livingWithLogs, isTable }: CheckRulesDeps): Promise<void> {
  const found = ruleMembers(schema)
  if (found.length === 0) return
  if (!isKept) {
    throw new Refusal(
      found.map(
        ({ path, what }) =>
          `${path}: ${what} need a log, and this process has none: send the schema to one of ROLE all or api`,
      ),
    )
  }
  const lacking = schema.streams.flatMap(({ references }, stream) =>
    references.flatMap(({ source }, index) =>
      source.kind === 'table' && !isTable(source.database, source.table)
        ? [
            `streams[${stream}].refr[${index}].rstm: there is no table ${source.database}.${source.table}; make it first`,
          ]
        : [],
    ),
  )
  if (lacking.length > 0) throw new Refusal(lacking)
  if ((await livingWithLogs()).size === 0) return
  const [{ path, what } = { path: '', what: '' }] = found
  throw fault(
    'conflict',
    `${path}: ${what} need one order of all events, and several processes with logs of their own are on this ClickHouse: set KAFKA_BROKERS, or stop the others`,
  )
}
