import { isDeepStrictEqual } from 'node:util'
import { fault } from '../../base/faults.ts'
import { quoted } from '../../base/quoted.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Notes } from '../../sql/schema/check/notes.ts'
import { areComparable } from '../../sql/schema/decode/operand.ts'
import type { AttributeType, PairTerm, Reference, Schema, Stream } from '../../sql/schema/schema.ts'
import { typeAt } from '../../sql/table/find-records.ts'
import type { Table } from '../../sql/table/table.ts'
import { readLiteral } from './references/table-source.ts'

const members: readonly (readonly [member: string, what: string, isThere: (stream: Stream) => boolean])[] = [
  ['refr', 'references', ({ references }) => references.length > 0],
  ['join', 'joins', ({ rules }) => rules.some(({ kind }) => kind === 'join')],
  ['cepq', 'patterns', ({ rules }) => rules.some(({ kind }) => kind === 'pattern')],
  ['gpby', 'sessions', ({ groupBys }) => groupBys.some(({ session }) => session !== undefined)],
  ['enty', 'sessions', ({ entities }) => entities.some(({ session }) => session !== undefined)],
  ['fltr', 'conditions over a moving time', ({ movingFilters }) => movingFilters.length > 0],
  ['fltr', 'computed attributes of filters', ({ filters }) => filters.some(({ computed = [] }) => computed.length > 0)],
  ['catr', 'computed attributes of derived streams', ({ kind, computed }) => kind !== 'input' && computed.length > 0],
  ['catr', 'predictions from last values', ({ computed }) => computed.some(({ lag }) => lag !== undefined)],
  ['catr', 'folds', ({ computed }) => computed.some(({ operation }) => operation === 'FOLD')],
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
  readonly hasMemory: boolean
  /** Other processes that live on the same ClickHouse, each with a log of its own. */
  readonly livingWithLogs: () => Promise<ReadonlySet<string>>
  readonly tableOf: (database: string, table: string) => Table | undefined
}

/** The type of the side of a term that belongs to the event; `there` is the type of the record, by which a literal is read. */
function typeOf({ value }: PairTerm, { attributes }: Stream, there: AttributeType): AttributeType {
  if (value.kind === 'expression') return 'DOUBLE'
  if (value.kind === 'attribute')
    return value.name === '_pk' ? 'LONG' : (attributes.find(({ name }) => name === value.name)?.type ?? 'OBJECT')
  const literal = readLiteral(value.value, there)
  return typeof literal === 'string' ? 'STRING' : typeof literal === 'boolean' ? 'BOOL' : 'DOUBLE'
}

/** The faults for which a reference finds nothing in its table, whatever the records are. */
function problemsOfTable({ condition, sources }: Reference, table: Table, stream: Stream): string[] {
  const nothing = (member: string, path: string): string =>
    `${member}: records of ${table.database}.${table.name} have no ${quoted(path)}; this table has _pk, doc and _v alone`
  return [
    ...sources.flatMap((path, index) => (typeAt(table, path) === undefined ? [nothing(`ratr[${index}]`, path)] : [])),
    ...condition.terms.flatMap((term, index) => {
      const there = typeAt(table, term.other)
      if (there === undefined) return [nothing(`jqry.cond[${index}]`, term.other)]
      const here = typeOf(term, stream, there)
      return areComparable(here, there)
        ? []
        : [
            `jqry.args[${index}]: is ${here} and cannot be compared with ${quoted(term.other)} of ${table.database}.${table.name}, which is ${there}`,
          ]
    }),
  ]
}

/** The schema before an edit: its references are no fault of the edit, though a table may have been dropped, or made anew, since. */
export type Before = { readonly present: Schema; readonly notes: Pick<Notes, 'add'> }

function problemsOfTables({ streams }: Schema, tableOf: CheckRulesDeps['tableOf'], before?: Before): string[] {
  return streams.flatMap((stream, at) =>
    stream.references.flatMap((reference, index) => {
      const { source } = reference
      if (source.kind !== 'table') return []
      const table = tableOf(source.database, source.table)
      const path = `streams[${at}].refr[${index}]`
      if (before && hasReference(before.present, stream.name, reference)) {
        const name = `${source.database}.${source.table}`
        const attributes = reference.results.join(', ')
        const says = table
          ? problemsOfTable(reference, table, stream).map((problem) => `is as it was, but finds nothing: ${problem}`)
          : [`names table ${name}, which is not there: new events go without ${attributes} until it is made`]
        for (const each of says) before.notes.add(`${path}.rstm`, each)
        return []
      }
      const problems = table
        ? problemsOfTable(reference, table, stream)
        : [`rstm: there is no table ${source.database}.${source.table}; make it first`]
      return problems.map((problem) => `${path}.${problem}`)
    }),
  )
}

const hasReference = ({ streams }: Schema, stream: string, reference: Reference): boolean =>
  streams.find(({ name }) => name === stream)?.references.some((each) => isDeepStrictEqual(each, reference)) ?? false

/** The lookups of schemas that name a table, as sentences about its deletion. */
export const lookupsOf = (schemas: readonly Schema[], database: string, table: string): string[] =>
  schemas.flatMap(({ name, streams }) =>
    streams.flatMap((stream) =>
      stream.references.flatMap(({ source, results }) =>
        source.kind === 'table' && source.database === database && source.table === table
          ? [
              `stream ${stream.name} of schema ${name} looks up ${results.join(', ')} in it: new events go without, until a table of that name is made`,
            ]
          : [],
      ),
    ),
  )

/** Whether the rules of a schema that is registered or edited can be kept here; throws why not. */
export async function checkRules(
  schema: Schema,
  { hasMemory, livingWithLogs, tableOf }: CheckRulesDeps,
  before?: Before,
): Promise<void> {
  const found = ruleMembers(schema)
  if (found.length === 0) return
  if (!hasMemory) {
    throw new Refusal(
      found.map(
        ({ path, what }) =>
          `${path}: ${what} need a log, and this process has none: send the schema to one of ROLE all or api`,
      ),
    )
  }
  const lacking = problemsOfTables(schema, tableOf, before)
  if (lacking.length > 0) throw new Refusal(lacking)
  if ((await livingWithLogs()).size === 0) return
  const [{ path, what } = { path: '', what: '' }] = found
  throw fault(
    'conflict',
    `${path}: ${what} need one order of all events, and several processes with logs of their own are on this ClickHouse: set KAFKA_BROKERS, or stop the others`,
  )
}
