import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { pino } from 'pino'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { refuseOtherTables } from '../../../infra/clickhouse/migrate.ts'
import { readConfig } from '../../../infra/config.ts'
import { openDataFolder } from '../../../infra/data-folder/open.ts'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

type Settings = Readonly<Record<string, string>>

/** ClickHouse as far as a start asks it: the tables that it has, how many schemas and tables it knows, and its id. */
function createAsked(schemas = 0, { isMade = schemas > 0 } = {}) {
  const ids: string[] = []
  const asked: Pick<ClickHouse, 'rows' | 'insert'> = {
    rows: async <Row>({ text }: { text: string }) => {
      const names = isMade ? ['schemas', 'tables', 'data_id'] : []
      const rows = text.includes('system.tables')
        ? names.map((name) => ({ name }))
        : text.startsWith('SELECT id')
          ? ids.map((id) => ({ id }))
          : [{ n: schemas }]
      return rows as Row[]
    },
    insert: async ({ rows }) => {
      if (ids.length === 0) ids.push(JSON.parse(rows.toString()).id)
    },
  }
  return { asked, ids }
}

async function writeLog(folder: string, rows = 0): Promise<void> {
  const { log } = createLmdbLog({ path: join(folder, 'log'), maxBytes: 1e6 })
  if (rows > 0) await log.append('shop.st', Buffer.from('{}\n'.repeat(rows)), rows)
  await log.close()
}
const writeClickHouse = (folder: string) => mkdirSync(join(folder, 'clickhouse/metadata/weir'), { recursive: true })

/** A start as the service makes it, over stand-ins of the parts; answers what it logged. */
async function start(folder: string, settings: Settings = {}, asked = createAsked(1).asked): Promise<string> {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  const config = readConfig({ DATA_DIR: folder, ...settings })
  const opened = openDataFolder(config, logger)
  await opened.meet(asked)
  if (!config.CLICKHOUSE_URL) writeClickHouse(folder)
  if (!config.KAFKA_BROKERS) await writeLog(folder)
  await opened.settle(asked)
  return lines.join('')
}

async function pair(): Promise<string> {
  const folder = temporaryFolder()
  await start(folder)
  return folder
}

const idIn = (folder: string, part = '.') => JSON.parse(readFileSync(join(folder, part, 'weir.json'), 'utf8')).id
const remove = (folder: string, path: string) => rmSync(join(folder, path), { recursive: true })
const without = (part: 'log' | 'clickhouse') => ({ START_WITHOUT: part })

test('a new folder gets one id in all its parts, and the next start keeps it', async (t) => {
  const folder = join(temporaryFolder(), 'new')
  t.regex(await start(folder), /DATA_DIR was not there/)
  const id = idIn(folder)
  t.truthy(id)
  t.deepEqual([idIn(folder, 'log'), idIn(folder, 'clickhouse')], [id, id])
  t.is(await start(folder), '')
  t.is(idIn(folder), id)
})

test('a log without its ClickHouse is refused with what waits in it, and START_WITHOUT sets it aside', async (t) => {
  const folder = await pair()
  await writeLog(folder, 21)
  remove(folder, 'clickhouse')
  const { message } = (await t.throwsAsync(start(folder))) ?? {}
  t.regex(String(message), /ClickHouse is not there .*21 acknowledged events of 1 queues.*START_WITHOUT=clickhouse/)
  await t.throwsAsync(start(folder, without('log')), { message: /START_WITHOUT=clickhouse/ })
  t.deepEqual(readdirSync(folder).toSorted(), ['log', 'weir.json'])
  t.regex(await start(folder, without('clickhouse'), createAsked().asked), /21 acknowledged events.*set aside/s)
  t.is(readdirSync(join(folder, 'log')).filter((name) => name.startsWith('aside-')).length, 1)
  t.is(await start(folder), '')
})

for (const [how, lose] of [
  ['the folder of its log', (folder: string) => remove(folder, 'log')],
  ['the file of its log', (folder: string) => remove(folder, 'log/log.mdb')],
  ['a log that is not empty', (folder: string) => truncateSync(join(folder, 'log/log.mdb'))],
  ['its log and its own mark', (folder: string) => [remove(folder, 'log'), remove(folder, 'weir.json')]],
] as const) {
  test(`ClickHouse without ${how} is refused, and START_WITHOUT=log goes on under the same id`, async (t) => {
    const folder = await pair()
    const id = idIn(folder)
    lose(folder)
    await t.throwsAsync(start(folder), { message: /the log is not there.*START_WITHOUT=log.*lost/ })
    await t.throwsAsync(start(folder, without('clickhouse')), { message: /START_WITHOUT=log/ })
    t.regex(await start(folder, without('log')), /START_WITHOUT=log begins with an empty log/)
    t.is(idIn(folder, 'log'), id)
    t.regex(await start(folder, without('log')), /START_WITHOUT is set and nothing is missing/)
  })
}

test('a folder whose parts are all missing is refused, unless it is to begin anew', async (t) => {
  const folder = await pair()
  remove(folder, 'log')
  remove(folder, 'clickhouse')
  await t.throwsAsync(start(folder), { message: /ClickHouse is not there/ })
  await t.notThrowsAsync(start(folder, without('clickhouse'), createAsked().asked))
})

test('a log of another ClickHouse is refused, and either of the two may be set aside', async (t) => {
  for (const part of ['log', 'clickhouse'] as const) {
    const [folder, other] = [await pair(), await pair()]
    await writeLog(other, 3)
    const id = idIn(folder)
    remove(folder, 'log')
    mkdirSync(join(folder, 'log'))
    for (const name of ['log.mdb', 'weir.json', 'clock']) {
      writeFileSync(join(folder, 'log', name), readFileSync(join(other, 'log', name)))
    }
    await t.throwsAsync(start(folder), { message: /do not belong together.*3 acknowledged events.*START_WITHOUT=log/ })
    await start(folder, without(part))
    t.is(idIn(folder), part === 'log' ? id : idIn(other))
    t.is(readdirSync(folder).filter((name) => name.startsWith('clickhouse-')).length, part === 'log' ? 0 : 1)
    t.is(readdirSync(join(folder, 'log')).filter((name) => name.startsWith('aside-')).length, 1)
    t.is(await start(folder), '')
  }
})

test('a folder of before the ids gets one where both parts are there, and is refused where one is not', async (t) => {
  const old = async (parts: { log?: number; clickhouse?: boolean }) => {
    const folder = temporaryFolder()
    if (parts.log !== undefined) await writeLog(folder, parts.log)
    if (parts.clickhouse) writeClickHouse(folder)
    return folder
  }
  const whole = await old({ log: 5, clickhouse: true })
  t.regex(await start(whole), /an earlier version/)
  t.truthy(idIn(whole))
  await t.throwsAsync(start(await old({ log: 5 })), { message: /ClickHouse is not there.*5 acknowledged events/ })
  await t.throwsAsync(start(await old({ clickhouse: true })), { message: /the log is not there/ })
  // A first start that was cut off before its log was made, and before any schema.
  await t.notThrowsAsync(start(await old({ clickhouse: true }), {}, createAsked().asked))
})

test('a start that was cut off between the marks of its parts is gone on with', async (t) => {
  for (const marks of [
    ['weir.json'],
    ['weir.json', 'clickhouse/weir.json'],
    ['clickhouse/weir.json', 'log/weir.json', 'weir.json'],
  ]) {
    const folder = await pair()
    for (const mark of marks) remove(folder, mark)
    await t.notThrowsAsync(start(folder))
    t.is(new Set([idIn(folder), idIn(folder, 'log'), idIn(folder, 'clickhouse')]).size, 1)
  }
})

test('a newer format is refused by the name of its version, wherever it stands, and nothing is changed', async (t) => {
  for (const part of ['.', 'log', 'clickhouse']) {
    const folder = await pair()
    const text = JSON.stringify({ format: 99, id: 'x', by: '7.1.0 (abc)', more: true })
    writeFileSync(join(folder, part, 'weir.json'), text)
    await t.throwsAsync(start(folder), {
      message: /made by Weir 7\.1\.0 \(abc\) \(format 99\), this is Weir .* \(format 1\)/,
    })
    t.is(readFileSync(join(folder, part, 'weir.json'), 'utf8'), text)
  }
  const folder = await pair()
  writeFileSync(join(folder, 'weir.json'), '\0\0')
  await t.throwsAsync(start(folder), { message: /weir\.json is damaged/ })
})

test('another version that wrote the folder before is told', async (t) => {
  const folder = await pair()
  const mark = JSON.parse(readFileSync(join(folder, 'weir.json'), 'utf8'))
  writeFileSync(join(folder, 'weir.json'), JSON.stringify({ ...mark, by: '0.0.9 (abc)' }))
  t.regex(await start(folder), /"before":"0\.0\.9 \(abc\)".*another version wrote this data folder/)
  t.is(await start(folder), '')
})

test('processes with logs of their own join one server, and one whose server was emptied is refused', async (t) => {
  const CLICKHOUSE_URL = 'http://user:secret@localhost:8123'
  const { asked, ids } = createAsked(1)
  const folders = [temporaryFolder(), temporaryFolder()]
  for (const folder of folders) await start(folder, { CLICKHOUSE_URL }, asked)
  t.deepEqual(
    folders.map((folder) => idIn(folder, 'log')),
    [ids[0], ids[0]],
  )
  for (const folder of folders) t.is(await start(folder, { CLICKHOUSE_URL }, asked), '')
  const [folder = ''] = folders
  const emptied = createAsked(0, { isMade: true }).asked
  const { message } = (await t.throwsAsync(start(folder, { CLICKHOUSE_URL }, emptied))) ?? {}
  t.regex(String(message), /localhost:8123 has no schema.*START_WITHOUT=clickhouse/)
  t.notRegex(String(message), /secret/)
  const other = createAsked(1)
  await start(temporaryFolder(), { CLICKHOUSE_URL }, other.asked)
  await t.throwsAsync(start(folder, { CLICKHOUSE_URL }, other.asked), { message: /do not belong together/ })
  await t.throwsAsync(start(folder, { CLICKHOUSE_URL, ...without('clickhouse') }, other.asked), {
    message: /do not belong/,
  })
  await start(folder, { CLICKHOUSE_URL, ...without('log') }, other.asked)
  t.is(idIn(folder, 'log'), other.ids[0])
  remove(folder, 'log')
  await t.throwsAsync(start(folder, { CLICKHOUSE_URL }, other.asked), { message: /the log is not there/ })
})

test('over Kafka a folder has no log, and misses ClickHouse alone', async (t) => {
  const folder = temporaryFolder()
  const kafka = { KAFKA_BROKERS: 'localhost:9092' }
  await start(folder, kafka)
  t.is(await start(folder, kafka), '')
  // It goes over to the embedded log, which it has never had.
  await t.notThrowsAsync(start(folder))
  remove(folder, 'clickhouse')
  await t.throwsAsync(start(folder, kafka), { message: /ClickHouse is not there/ })
})

test('tables of a version before 0.1.0, or of a newer one, are refused in a sentence; those of this one are not', async (t) => {
  const tables = (...names: string[]): Pick<ClickHouse, 'rows'> => ({
    rows: async <Row>() => names.map((name) => ({ name })) as Row[],
  })
  await t.throwsAsync(refuseOtherTables(tables('0001_catalogue.sql', '0003_usage_watermarks.sql')), {
    message: /before 0\.1\.0 .*does not read/,
  })
  await t.throwsAsync(refuseOtherTables(tables('0001_catalogue.sql', '0999_more.sql')), {
    message: /newer Weir .*0999_more/,
  })
  await t.notThrowsAsync(refuseOtherTables(tables('0001_catalogue.sql')))
  await t.notThrowsAsync(refuseOtherTables(tables()))
})

test('a damaged log is refused with its file, and set aside where the start is to go on', async (t) => {
  const folder = await pair()
  await writeLog(folder, 4)
  writeFileSync(join(folder, 'log/log.mdb'), readFileSync(join(folder, 'log/log.mdb')).fill(0, 0, 8192))
  await t.throwsAsync(start(folder), { message: /log\.mdb is damaged: its first page.*START_WITHOUT=log/ })
  await start(folder, without('log'))
  t.is(readdirSync(join(folder, 'log')).filter((name) => name.startsWith('aside-')).length, 1)
  t.is(await start(folder), '')
})
