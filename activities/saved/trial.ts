import { randomUUID } from 'node:crypto'
import { Fault, fault } from '../../base/faults.ts'
import { holdBack } from '../../base/held-back.ts'
import { Refusal } from '../../base/refusal.ts'
import { hint } from '../../base/suggest.ts'
import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import { paramTexts } from '../../sql/analysts/param-texts.ts'
import { parse, type Statement } from '../../sql/query/index.ts'
import { hasMadeUpValues, type SavedQuestion, trialValues } from '../../sql/saved/definition.ts'
import { bindInWeir } from '../../sql/saved/placeholders.ts'
import { columnsOf, parseWhen } from '../../sql/saved/when.ts'
import { faultOfSql } from '../analysts/sql-fault.ts'
import { type Caller, checkPlace, checkScope } from '../keys/caller.ts'
import { needOf } from '../queries/scopes.ts'
import type { AskRowsDeps, RowsRequest } from './rows.ts'

export type Definer = RowsRequest['reader'] & {
  /** Undefined where keys are off. */
  readonly caller: Caller | undefined
}

export type TrialDeps = Pick<AskRowsDeps, 'runner' | 'statements' | 'queries' | 'analystsPort' | 'reachOf'> & {
  readonly isDatabase: (name: string) => boolean
}

const explain = 'EXPLAIN QUERY TREE '

/**
 * Codes of ClickHouse that a value brings about, which may be one that no client would send: CANNOT_PARSE_TEXT and its like,
 * ARGUMENT_OUT_OF_BOUND, ILLEGAL_DIVISION, BAD_ARGUMENTS.
 */
const ofValues = new Set([6, 26, 27, 32, 36, 38, 41, 53, 69, 70, 72, 131, 153, 321, 376, 407, 457])

/**
 * Asks once whether a question can be asked: by the defaults of its parameters, and with the rights of its definer, which have
 * to reach all that the text names. Refuses a question that cannot be asked, with the place in its text. Answers with the
 * parts that could not be tried, a sentence each.
 */
export function createTrial({ runner, statements, queries, analystsPort, reachOf, isDatabase }: TrialDeps) {
  async function inSql(question: SavedQuestion, { caller, user, gone }: Definer): Promise<string[]> {
    const found = runner()
    if (!found) throw fault('off', "this service answers no SQL of analysts; a question in Weir's language is saved")
    const { sql, db, params } = question
    const reach = reachOf([...(caller?.on ?? [])])
    const query = {
      id: randomUUID(),
      text: `${explain}${sql}`,
      body: Buffer.alloc(0),
      format: 'TabSeparatedRaw',
      params: paramTexts(sql, trialValues(params)),
      settings: {},
      caller: user,
      ...(db !== undefined && { database: db }),
      ...(reach && { reach }),
    }
    try {
      const { output } = await found.query(query, gone)
      const held = await holdBack(output, Number.POSITIVE_INFINITY)
      await held.output.return?.()
      refuseOtherColumns(question, Buffer.concat(held.begin).toString())
      return []
    } catch (error) {
      if (gone.aborted) throw fault('abandoned', 'the client has gone', { cause: error })
      if (!(error instanceof ClickHouseError) || error.code === 0) throw error
      const refused = faultOfSql(sql, withoutExplain(error))
      if (ofValues.has(error.code) && hasMadeUpValues(params))
        return [`not tried, for want of a default or values of its parameters: ${refused.message}`]
      // A table that is missing is a fault of the text, not of the request's path.
      throw refused.kind === 'missing' ? new Fault('invalid', refused.message, { cause: error }) : refused
    }
  }

  async function inWeir(question: SavedQuestion, { caller, user, gone }: Definer): Promise<string[]> {
    const { sql, db = 'mydb', params } = question
    const text = bindInWeir(sql, trialValues(params))
    const statement = parse(text, analystsPort())
    if (!isQuestion(statement))
      throw fault(
        'invalid',
        `sql: ${statement.kind} changes something, and a saved question only asks: begin with select`,
      )
    const { place } = needOf(statement, db, isDatabase)
    if (caller) checkPlace(caller, 'read', place)
    const isOpen = statement.kind === 'rows' && statement.limit === undefined
    const asked = isOpen ? { ...statement, limit: 1 } : statement
    await queries.run(gone, (on) => statements.run(db, asked, { text, eventual: true }, on), user)
    return []
  }

  return (question: SavedQuestion, definer: Definer): Promise<string[]> => {
    if (definer.caller) checkScope(definer.caller, ['read'])
    return question.language === 'sql' ? inSql(question, definer) : inWeir(question, definer)
  }
}

/** Refuses a watch that names a column which the answer has not. ClickHouse's tree of the query has a line for each. */
function refuseOtherColumns({ watch }: SavedQuestion, tree: string): void {
  const lines = tree.split('\n').map((line) => line.trim())
  const [begin, end] = [lines.indexOf('PROJECTION COLUMNS'), lines.indexOf('PROJECTION')]
  if (watch === undefined || begin < 0) return
  const columns = lines.slice(begin + 1, end)
  const names = columns.map((column) => column.split(' ', 1)[0] ?? '')
  const problems = [
    ...columnsOf(parseWhen(watch.when)).map((column) => ['when', column] as const),
    ...watch.key.map((column) => ['key', column] as const),
  ]
    .filter(([, column]) => !columns.some((each) => each.startsWith(`${column} `)))
    .map(([member, column]) => `watch.${member}: the answer has no column ${column.slice(0, 64)}${hint(column, names)}`)
  if (problems.length > 0) throw new Refusal(problems)
}

/** The error as if the question stood alone. */
const withoutExplain = (error: ClickHouseError): ClickHouseError =>
  new ClickHouseError(
    error.code,
    error.message.replace(
      /failed at position (\d{1,9})/,
      (_, at) => `failed at position ${Number(at) - explain.length}`,
    ),
    error,
  )

export type Trial = ReturnType<typeof createTrial>

const isQuestion = ({ kind }: Statement): boolean => ['rows', 'count', 'aggregate', 'usage'].includes(kind)
