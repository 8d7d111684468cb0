import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { connect, type Row, type Weir } from '../../src/index.ts'
import { writeJson } from '../../src/json.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { type Form, say, tell } from '../print.ts'
import { linesOf, streamOf } from '../send.ts'
import { makeBuckets } from './buckets.ts'
import { type Project, readProject, type Test } from './files.ts'
import { shownHook } from './hooks.ts'
import { type Plan, type PlanOptions, planLines, planOf } from './plan.ts'
import { questionText, shownQuestion, usual } from './questions.ts'
import { isSame } from './same.ts'
import { takeSteps } from './steps.ts'
import { tableFiles, tablesOf } from './tables.ts'
import { shownTemplate } from './templates.ts'
import { startThrowaway } from './throwaway.ts'
import { toYaml } from './yaml.ts'

/** A project to begin with: one of each kind of file. */
const beginning: Readonly<Record<string, (name: string) => string>> = {
  'weir.yaml': (name) => `name: ${name}\n# url: https://weir.example.org\n`,
  'schemas/shop.yaml': () => `schema: shop
streams:
  orders:
    keep: 90d
    attributes:
      customer: text
      country: { type: text, stats: [count] }
      price: { type: number, stats: [summary], every: 1m, min: 0, required: true }
`,
  'saved/revenue.sql': () => `/*
description: Revenue by country
params:
  least: { type: number, default: 0 }
*/
SELECT country, count() AS orders, sum(price) AS revenue
FROM shop.orders
WHERE price >= {least:Float64}
GROUP BY country
ORDER BY country
`,
  'fixtures/shop.orders.ndjson': () => `{"customer":"ann","country":"DE","price":10}
{"customer":"bob","country":"FR","price":5}
{"customer":"ann","country":"DE","price":2.5}
`,
  'tests/revenue.yaml': () => `revenue by country:
  saved: revenue
  rows:
    - { country: DE, orders: 2, revenue: 12.5 }
    - { country: FR, orders: 1, revenue: 5 }
only dear orders:
  saved: revenue
  params: { least: 10 }
  rows:
    - { country: DE, orders: 1, revenue: 10 }
`,
}

/** Writes a project to begin with; a file that is there stays. */
export function init(folder: string): void {
  const name = folder.replace(/\/+$/, '').split('/').at(-1) || 'project'
  for (const [path, text] of Object.entries(beginning)) {
    const file = join(folder, path)
    if (existsSync(file)) {
      tell(`${file} is there: it stays as it is`)
      continue
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text(name === '.' ? 'project' : name))
    say(file)
  }
  tell('Next: weir test, then weir plan and weir apply against a running Weir.')
}

export async function plan(weir: Weir, folder: string, options: PlanOptions, form: Form): Promise<void> {
  const made = await planOf(weir, readProject(folder), options)
  show(made, form)
  if (made.changes.length > 0) throw new Exit(exitCodes.changes)
}

/** Applies what the plan says, after the whole plan has been tried: nothing is done where a part is refused. */
export async function apply(weir: Weir, folder: string, options: PlanOptions, form: Form): Promise<void> {
  const made = await planOf(weir, readProject(folder), options)
  show(made, form)
  const refused = made.changes.filter(({ verb }) => verb === 'refuse')
  if (refused.length > 0)
    throw new Exit(exitCodes.failed, `nothing is changed: ${refused.length} parts would be refused`)
  if (!options.allowLoss && made.changes.some(({ verb }) => verb === 'lose')) {
    throw new Exit(exitCodes.failed, 'nothing is changed: data would be lost; --allow-loss does it')
  }
  await takeSteps(made.steps, tell)
  if (form !== 'json')
    say(made.steps.length === 0 ? 'all is as the project says' : `applied: ${made.steps.length} definitions`)
}

function show(made: Plan, form: Form): void {
  if (form === 'json') say(writeJson({ changes: made.changes }))
  else if (made.changes.length === 0) say('nothing would change')
  else for (const line of planLines(made)) say(line)
}

/** Writes the folder from a service: what apply would make of it is what is there. */
export async function pull(weir: Weir, folder: string): Promise<void> {
  const write = (path: string, text: string): void => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    say(file)
  }
  if (!existsSync(join(folder, 'weir.yaml'))) write('weir.yaml', `name: ${folder.split('/').at(-1)}\n`)
  const isThere = (path: string): boolean => existsSync(join(folder, path))
  for (const { path, value } of tableFiles(await tablesOf(weir), isThere)) write(path, toYaml(value))
  for await (const { name } of weir.schemas.list()) {
    const { errcode: _errcode, error: _error, ...words } = await weir.schemas.get(String(name))
    write(`schemas/${name}.yaml`, toYaml(words))
  }
  for await (const question of weir.questions()) {
    const { sql, ...others } = shownQuestion(question)
    const head = Object.entries(others).filter(([member, value]) => !isSame(value, usual[member]))
    write(`saved/${question.name}.sql`, questionText({ ...Object.fromEntries(head), sql }))
  }
  for await (const hook of weir.hooks.list()) write(`hooks/${hook.name}.yaml`, toYaml(shownHook(hook)))
  for await (const template of weir.query('select * from reg_notif'))
    write(`notifications/${template.notifid}.yaml`, toYaml(shownTemplate(template)))
}

/** The project on a throwaway Weir: applied, its fixtures sent, its tests asked. */
export async function test(folder: string, service: string | undefined, form: Form): Promise<void> {
  const project = readProject(folder)
  const throwaway = await startThrowaway(service)
  try {
    const weir = connect({ url: throwaway.url, bigints: true })
    await fill(weir, project)
    const failed: string[] = []
    for (const each of project.tests) {
      const difference = await differenceOf(weir, each)
      if (form !== 'json') say(`${difference === undefined ? '✔' : '✘'} ${each.path}: ${each.name}`)
      if (difference === undefined) continue
      failed.push(each.name)
      for (const line of difference) say(`    ${line}`)
    }
    const passed = project.tests.length - failed.length
    if (form === 'json') say(JSON.stringify({ passed, failed }))
    else say(`${passed} passed, ${failed.length} failed`)
    if (failed.length > 0) throw new Exit(exitCodes.failed)
  } finally {
    await throwaway.end()
  }
}

type Stream = ReturnType<Weir['stream']>
type Table = ReturnType<Weir['table']>

/** Applies a project to an empty service and sends its fixtures. */
export async function fill(weir: Weir, project: Project): Promise<void> {
  await makeBuckets(weir, questionsIn(project))
  const made = await planOf(weir, project, { allowLoss: true, prune: false })
  const refused = made.changes.filter(({ verb }) => verb === 'refuse')
  if (refused.length > 0)
    throw new Exit(exitCodes.failed, refused.map(({ name, detail }) => `${name}: ${detail}`).join('\n'))
  for (const { run } of made.steps) await run()
  const tables = new Set(project.tables.map(({ database, name }) => `${database}.${name}`))
  for (const { path, place } of project.fixtures) {
    const lines = linesOf(join(project.folder, path))
    const [before, after] = streamOf(place)
    if (tables.has(place)) await putRecords(weir.table(before, after), lines, path)
    else await sendEvents(weir.stream(before, after), lines, path)
  }
}

/** Makes the throwaway Weir of a project as its folder is by now. */
export async function follow(weir: Weir, folder: string): Promise<void> {
  await makeBuckets(weir, questionsIn(readProject(folder)))
  await apply(weir, folder, { allowLoss: true, prune: true }, 'table')
}

const questionsIn = ({ saved }: Project) => saved.map(({ path, value }) => ({ where: path, question: value }))

async function sendEvents(stream: Stream, lines: AsyncIterable<string>, path: string): Promise<void> {
  const [first] = (await stream.sendMany(lines)).refused
  if (first) throw new Exit(exitCodes.failed, `${path}, line ${first.index + 1}: ${first.error}`)
}

async function putRecords(table: Table, lines: AsyncIterable<string>, path: string): Promise<void> {
  let count = 0
  for await (const line of lines) {
    count++
    if (line.trim() === '') continue
    try {
      const { _pk, doc } = JSON.parse(line) as { _pk: string; doc: Row }
      await table.put(_pk, doc)
    } catch (error) {
      throw new Exit(exitCodes.failed, `${path}, line ${count}: ${(error as Error).message}`)
    }
  }
}

/** The lines of the difference between the rows that are expected and those that came; undefined where there is none. */
async function differenceOf(weir: Weir, test: Test): Promise<string[] | undefined> {
  for (const end = Date.now() + 1000 * test.within_s; ; ) {
    const difference = await differenceNow(weir, test)
    if (difference === undefined || Date.now() >= end) return difference
    await new Promise((wake) => setTimeout(wake, 250))
  }
}

async function differenceNow(weir: Weir, test: Test): Promise<string[] | undefined> {
  const { rows } = test
  let found: unknown[]
  try {
    found = (await rowsOf(weir, test)).map((row, n) => (test.sql === undefined ? named(row, rows[n] ?? rows[0]) : row))
  } catch (error) {
    return [(error as Error).message]
  }
  const lines: string[] = []
  for (let n = 0; n < Math.max(found.length, rows.length); n++) {
    if (n < found.length && n < rows.length && isSame(found[n], rows[n])) continue
    if (n < rows.length) lines.push(`- ${writeJson(rows[n])}`)
    if (n < found.length) lines.push(`+ ${writeJson(found[n])}`)
  }
  return lines.length === 0 ? undefined : lines
}

async function rowsOf(weir: Weir, { sql, query, saved, graph, params = {} }: Test): Promise<unknown[]> {
  if (sql !== undefined) return weir.sql(sql, params).all()
  if (graph !== undefined) return (await weir.graph(graph).query(query ?? '')).rows as unknown[]
  return query === undefined
    ? weir
        .saved(saved ?? '')
        .rows(params)
        .all()
    : weir.query(query).all()
}

/** Of what Weir adds, such as the time of an event, a test names the members that it means: these are kept. */
function named(found: unknown, expected: unknown): unknown {
  if (!isObject(found) || !isObject(expected)) return found
  return Object.fromEntries(
    Object.keys(expected).flatMap((name) => (name in found ? [[name, named(found[name], expected[name])]] : [])),
  )
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The commit at which the folder is, for the record of changes; undefined outside of git. */
export function commitOf(folder: string): string | undefined {
  try {
    return execFileSync('git', ['-C', folder, 'rev-parse', '--short=12', 'HEAD'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .toString()
      .trim()
  } catch {
    return undefined
  }
}
