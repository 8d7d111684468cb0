/** Projects without the command: plans against a service, and folders that are pulled from it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { fill, pull } from '../../../clients/node/cli/project/commands.ts'
import { readProject } from '../../../clients/node/cli/project/files.ts'
import { planLines, planOf } from '../../../clients/node/cli/project/plan.ts'
import { tablesOf } from '../../../clients/node/cli/project/tables.ts'
import { connect, WeirError } from '../../../clients/node/src/index.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { url, close } = await startService()
test.after.always(close)
const weir = connect({ url, bigints: true })
test.before(async () => {
  await weir.schemas.put('schema: s\nstreams:\n  e: { keep: forever, attributes: { a: text, n: integer } }\n')
})

function project(files: Readonly<Record<string, string>>, folder = temporaryFolder()): string {
  for (const [path, text] of Object.entries({ 'weir.yaml': 'name: trial\n', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const planned = (folder: string) => planOf(weir, readProject(folder), { allowLoss: false, prune: false })

async function linesOf(folder: string): Promise<string[]> {
  return planLines(await planned(folder))
}

/** Applies a project, of which nothing may be refused. */
async function apply(folder: string): Promise<void> {
  const { changes, steps } = await planned(folder)
  const refused = changes.filter(({ verb }) => verb === 'refuse')
  if (refused.length > 0) throw new Error(refused.map(({ detail }) => detail).join('\n'))
  for (const { run } of steps) await run()
}

async function pulled(): Promise<string> {
  const folder = temporaryFolder()
  await pull(weir, folder)
  return folder
}

const unchanged: Readonly<Record<string, string>> = {
  'a watch that leaves the rest to the service': '/*\nwatch: { when: n > 8 }\n*/\nSELECT count() AS n FROM s.e\n',
  'a schedule without a time zone and a format':
    '/*\nschedule:\n  - { cron: 0 6 * * MON, notf: 7 }\n*/\nSELECT count() AS n FROM s.e\n',
  'a parameter of which nothing is said': 'SELECT a FROM s.e WHERE a = {which:String}\n',
  'a parameter with a default alone':
    '/*\nparams:\n  which: { default: x }\n*/\nSELECT a FROM s.e WHERE a = {which:String}\n',
  'a cron of every quarter': '/*\nschedule:\n  - { cron: "*/15 * * * *", notf: 7 }\n*/\nSELECT count() AS n FROM s.e\n',
  'a description with the end of a comment':
    '/*\ndescription: all of a.*/b, hourly\n*/\nSELECT count() AS n FROM s.e\n',
  'a comment before the text': '/* */\n/* how many: all */ SELECT count() AS n FROM s.e\n',
}
for (const [what, text] of Object.entries(unchanged))
  test.serial(`${what}: once it is applied nothing would change, nor of what is pulled`, async (t) => {
    const folder = project({ 'saved/q.sql': text })
    t.not((await linesOf(folder)).length, 0)
    await apply(folder)
    t.deepEqual(await linesOf(folder), [])
    t.deepEqual(await linesOf(await pulled()), [])
  })

test.serial('blanks around a text of another client are no change', async (t) => {
  await weir.saved('q').put({ sql: '\n  SELECT 1 AS one \n' })
  const folder = await pulled()
  t.is(readFileSync(join(folder, 'saved/q.sql'), 'utf8').trim(), 'SELECT 1 AS one')
  t.deepEqual(await linesOf(folder), [])
  await apply(project({ 'saved/q.sql': '/*\ncache_s: 5\n*/\nSELECT 1 AS one\n' }))
  t.like(await weir.saved('q').get(), { sql: '\n  SELECT 1 AS one \n', cache_s: 5 })
})

for (const member of ['cache_s: 60', 'db: s', 'language: weir', 'description: all', 'watch: { when: n > 8 }'])
  test.serial(`taking ${member} out of a head is a change`, async (t) => {
    const sql = member === 'language: weir' ? 'select * from s.e' : 'SELECT count() AS n FROM s.e'
    await apply(project({ 'saved/out.sql': `/*\n${member}\n*/\n${sql}\n` }))
    const folder = project({ 'saved/out.sql': `${sql}\n` })
    t.deepEqual(await linesOf(folder), ['~ change saved question out'])
    await apply(folder)
    t.deepEqual(await linesOf(folder), [])
  })

test.serial('a question that the service refuses is listed once, and no step makes it', async (t) => {
  const folder = project({ 'saved/bad.sql': 'SELECT none FROM s.e\n' })
  const { changes, steps } = await planned(folder)
  t.deepEqual(
    changes.map(({ verb, kind, name }) => ({ verb, kind, name })),
    [{ verb: 'refuse', kind: 'saved question', name: 'saved/bad.sql' }],
  )
  t.deepEqual(steps, [])
})

test.serial('tables of one name in several databases are pulled as files of their own', async (t) => {
  for (const database of ['alpha', 'mydb', 'omega']) await weir.table(database, 'twin').make()
  await weir.table('omega', 'single').make({ key_type: 10, allow_rev_idx: 1 })
  const folder = await pulled()
  const files = ['alpha.twin.yaml', 'omega.twin.yaml', 'single.yaml', 'twin.yaml']
  t.deepEqual(readdirSync(join(folder, 'tables')), files)
  const { tables } = readProject(folder)
  t.deepEqual(
    tables.map(({ database, name }) => `${database}.${name}`),
    ['alpha.twin', 'omega.twin', 'omega.single', 'mydb.twin'],
  )
  t.like(tables[2], { settings: { key_type: 10n, allow_rev_idx: 1n } })
  t.deepEqual(await linesOf(folder), [])
  await weir.table('mydb', 'twin').drop()
  await pull(weir, folder)
  t.deepEqual(await linesOf(folder), ['+ add    table mydb.twin'])
  for (const database of ['alpha', 'omega']) await weir.table(database, 'twin').drop()
  await weir.table('omega', 'single').drop()
})

test.serial('a table that was made otherwise is refused, with the settings that would be right', async (t) => {
  await weir.table('mydb', 'kinds').make({ table_type: 0, key_type: 10 })
  const told = async (settings: string) => linesOf(project({ 'tables/kinds.yaml': settings }))
  t.deepEqual(await told('table_type: normal\nkey_type: "10"\nkey_sz: 30\nallow_duplicate: false\n'), [])
  t.deepEqual(await told('table_type: WIDE\nkey_type: NORMAL_KEY_LONG\n'), [
    '✗ refuse table tables/kinds.yaml: table_type is 0 (NORMAL), got WIDE: a table stays as it was made; write table_type: 0, or take another name',
  ])
  t.deepEqual(await told('allow_rev_idx: 1\n'), [
    '✗ refuse table tables/kinds.yaml: table_type is 0 (NORMAL), got 1; key_type is 10 (NORMAL_KEY_LONG), got 1; key_sz is 8, got 24; allow_rev_idx is 0, got 1: a table stays as it was made; write table_type: 0, key_type: 10, key_sz: 8, allow_rev_idx: 0, or take another name',
  ])
  await weir.table('mydb', 'kinds').drop()
  t.deepEqual(await told('{}\n'), ['+ add    table mydb.kinds'])
})

for (const flag of ['allow_duplicate', 'allow_rev_idx', 'version_type'])
  test.serial(`a file from which ${flag}: 1 is taken out is refused, with what is to be written`, async (t) => {
    await weir.table('mydb', 'flagged').make({ [flag]: 1 })
    t.teardown(() => weir.table('mydb', 'flagged').drop())
    const folder = await pulled()
    t.deepEqual(await linesOf(folder), [])
    const path = join(folder, 'tables/flagged.yaml')
    const text = readFileSync(path, 'utf8')
    t.true(text.includes(`${flag}: 1\n`), text)
    writeFileSync(path, text.replace(`${flag}: 1\n`, ''))
    t.deepEqual(await linesOf(folder), [
      `✗ refuse table tables/flagged.yaml: ${flag} is 1, got 0: a table stays as it was made; write ${flag}: 1, or take another name`,
    ])
  })

test('tables of an answer that is none of Weir are a foreign answer', async (t) => {
  const other = connect({ url: 'http://other.example', fetch: async () => Response.json({ so: 'and so' }) })
  await t.throwsAsync(tablesOf(other), {
    instanceOf: WeirError,
    message: 'what answers at http://other.example is no Weir: its answer has no list databases',
  })
})

test.serial('a member that is taken out of a notification is a change; one with its usual value is none', async (t) => {
  const template = (more: string) => project({ 'notifications/90.yaml': `notifid: 90\nname: dear\n${more}` })
  await apply(template('freq: 60\ntags: [a, b]\nowner: shop\n'))
  t.deepEqual(await linesOf(template('freq: "60"\ntags: [a, b]\nowner: shop\npri: 1\nmailto:\n')), [])
  t.deepEqual(await linesOf(await pulled()), [])
  for (const less of ['tags: [a, b]\nowner: shop\n', 'freq: 60\nowner: shop\n', 'freq: 60\ntags: [a, b]\n'])
    t.deepEqual(await linesOf(template(less)), ['~ change notification 90'])
  await apply(template(''))
  t.deepEqual(await linesOf(template('')), [])
  const secret = `secret: whsec_${Buffer.alloc(24).toString('base64')}\n`
  await apply(template(secret))
  t.deepEqual(await linesOf(template(secret)), [
    '~ change notification 90: its secret is set anew, since the service shows none to compare with',
  ])
})

test.serial('a throwaway Weir has the buckets into which schedules of its project write', async (t) => {
  const into = (bucket: string) =>
    project({
      'saved/report.sql': `/*\nschedule:\n  - { cron: "*/15 * * * *", into: { bucket: ${bucket}, key: "{date}/{hour}{minute}.csv" } }\n*/\nSELECT count() AS n FROM s.e\n`,
    })
  t.regex((await linesOf(into('reports'))).join('\n'), /✗ refuse saved question saved\/report\.sql: .*reports/)
  await fill(weir, readProject(into('reports')))
  t.like(await weir.saved('report').get(), { schedule: [{ into: { bucket: 'reports' } }] })
  await fill(weir, readProject(into('reports')))
  await t.throwsAsync(fill(weir, readProject(into('a/b'))), {
    message: /^saved\/report\.sql: schedule: into\.bucket a\/b: /,
  })
  await t.throwsAsync(fill(weir, readProject(into('ml_bucket_info'))), { message: /is a bucket of the service/ })
})
