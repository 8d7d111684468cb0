/**
 * Mutated statements against both fences and embedded ClickHouse, with a key for `air` alone and with one for all. How
 * many is told by WEIR_FENCE_STATEMENTS; docs/tests.md has the figures of 100,000.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Session } from 'chdb'
import { becomeAnalyst, becomeBounded } from '../../../infra/clickhouse/access.ts'
import { createAnalysts } from '../../../infra/clickhouse/analysts/analysts.ts'
import type { SqlRunner } from '../../../infra/clickhouse/analysts/sql-runner.ts'
import { bounds, checkUnderstood, explanation, formatting, preparations } from '../../../sql/analysts/compose.ts'
import { StatementRefusal } from '../../../sql/analysts/refusal.ts'
import { grantSettings } from '../../../sql/analysts/settings.ts'
import { type AnalystStatement, admit } from '../../../sql/analysts/statement.ts'
import type { Reach } from '../../../sql/analysts/tables.ts'
import { acceptedStatements } from '../../sql/analysts/cases.ts'
import { type Analysts, startAnalysts } from '../../support/analysts.ts'
import { hiddenTables, mutated, parameters, sentinels } from '../../support/mutated-statements.ts'
import { randomFor, runs } from '../../support/random/seed.ts'

const count = Number(process.env.WEIR_FENCE_STATEMENTS ?? runs(3000, 20_000))
const outfile = '/dev/shm/weir-fuzz-outfile'

let analysts: Analysts
let runner: SqlRunner
test.before(async () => {
  analysts = await startAnalysts()
  for (const statement of hiddenTables) await analysts.clickhouse.run(statement)
  runner = await createAnalysts({ path: analysts.path, pipes: join(analysts.path, 'fuzz'), maxWaiting: 1000 })
})
test.after.always(async () => {
  await runner?.close()
  await analysts?.close()
})

const airAlone: Reach = {
  databases: new Set(['air']),
  graphs: new Set(),
  hides: (database) => ['sea', 'yy8unlisted', 'mydb', 'weir', 'weir_records'].includes(database),
}

const settings = { max_execution_time: '1', max_memory_usage: '300000000' }

/** The first hidden value that an answer contains; a figure has to stand by itself, and is in no statement. */
function leaked(answer: string, reach: Reach | undefined): string | undefined {
  const { values, rows, others, beyond } = sentinels
  const [texts, figures] = [[...values], [...rows, beyond]]
  for (const other of reach ? others : []) (/^\d+$/.test(other) ? figures : texts).push(other)
  const fields = new Set(answer.split(/[\t\n]/))
  return texts.find((text) => answer.includes(text)) ?? figures.find((figure) => fields.has(figure))
}

const isSecondFence = (message: string): boolean =>
  /ClickHouse reads|not for analysts|behind the ones|service's own|needs the scope|cannot be another|is no table|has a name, and|Multi-statements/.test(
    message,
  )

test.serial('no mutated statement reads what is hidden, lists what is not its own or leaves its limits', async (t) => {
  const random = randomFor(t)
  const accepted = acceptedStatements()
  const figures = { statements: 0, 'refused by the first fence': 0, 'by the second': 0, 'by ClickHouse': 0, ran: 0 }
  const one = async (): Promise<void> => {
    const text = mutated(accepted, random)
    const reach = random.chance(0.5) ? airAlone : undefined
    figures.statements++
    try {
      admit({ text, format: 'TSV', params: parameters, settings }, reach)
    } catch (error) {
      if (!(error instanceof StatementRefusal)) throw error
      figures['refused by the first fence']++
      return
    }
    let answer = ''
    try {
      const query = {
        id: 'x',
        text,
        body: Buffer.alloc(0),
        database: 'air',
        format: 'TSV',
        params: parameters,
        settings,
      }
      const { output } = await runner.query(reach ? { ...query, reach } : query)
      for await (const chunk of output) {
        answer += Buffer.from(chunk).toString('latin1')
        if (answer.length > 200_000) break
      }
      figures.ran++
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      answer += message.replaceAll(/\d+\.\d+|\[.*?\]/g, '')
      if (isSecondFence(message) && process.env.WEIR_FENCE_SHOW) console.log(text, '=>', message)
      figures[isSecondFence(message) ? 'by the second' : 'by ClickHouse']++
      t.regex(message, /Code: \d+/, text)
    }
    const hidden = leaked(answer, reach)
    if (hidden !== undefined)
      t.fail(`${hidden} is in the answer of ${reach ? 'a bound' : 'any'} key to\n${text}\n${answer.slice(0, 500)}`)
  }
  const worker = async (): Promise<void> => {
    while (figures.statements < count) await one()
  }
  const begin = performance.now()
  await Promise.all([worker(), worker()])
  t.log({ ...figures, seconds: Math.round((performance.now() - begin) / 1000) })
  t.true(figures.ran > count / 50)
  await stillThere(t)
})

test.serial('what the first fence refuses and the second does not reads nothing hidden either', async (t) => {
  const random = randomFor(t)
  const accepted = acceptedStatements()
  const figures = { statements: 0, 'refused by ClickHouse': 0, 'by the second fence': 0, ran: 0 }
  let answers = ''
  while (figures.statements < count / 4) {
    const text = mutated(accepted, random)
    // One statement to a connection: the first fence sees to that alone.
    if (text.includes(';') || isAdmitted(text)) continue
    figures.statements++
    const statement: AnalystStatement = {
      ...{ text, format: 'TSV', params: {}, reach: airAlone },
      settings: grantSettings({ ...settings, max_result_rows: '1000' }),
      isExplain: /^\s*EXPLAIN/i.test(text),
    }
    const session = new Session(analysts.path)
    try {
      await session.queryAsync(`${becomeAnalyst}; ${preparations('air', {})}`)
      const ask = async (asked: string, format: string) => (await session.queryAsync(asked, { format })).text()
      const tree = await ask(explanation(statement), 'TabSeparatedRaw')
      const formatted = (await ask(formatting(statement), 'TabSeparatedRaw')).trimEnd()
      checkUnderstood(statement, { tree, formatted })
      await session.queryAsync(bounds(statement, 'fuzz', becomeBounded))
      answers = await ask(text, 'TSV')
      figures.ran++
    } catch (error) {
      answers = error instanceof Error ? error.message.replaceAll(/\d+\.\d+|\[.*?\]/g, '') : ''
      figures[error instanceof StatementRefusal ? 'by the second fence' : 'refused by ClickHouse']++
    } finally {
      session.close()
    }
    const hidden = leaked(answers, airAlone)
    if (hidden !== undefined) t.fail(`${hidden} is in the answer to\n${text}\n${answers.slice(0, 500)}`)
  }
  t.log(figures)
  t.true(figures['by the second fence'] > count / 100)
  await stillThere(t)
})

function isAdmitted(text: string): boolean {
  try {
    admit({ text, format: 'TSV', params: {}, settings: {} }, airAlone)
    return true
  } catch {
    return false
  }
}

/** Checks that no attack has written a file, or changed or removed a table. */
async function stillThere(t: ExecutionContext): Promise<void> {
  t.false(existsSync(outfile))
  const text = 'SELECT (SELECT count() FROM air.flights) AS flights, (SELECT count() FROM weir.hidden) AS hidden'
  t.deepEqual(await analysts.clickhouse.rows<object>({ text, params: {} }), [{ flights: 1000, hidden: 7919 }])
}
