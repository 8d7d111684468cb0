import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { loader, pathOf } from '../../../support/program.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

/** In a process of its own, since chDB opens a folder with Kafka tables once a process, and only as the first one. */
function run(path: string, code: string): string {
  const script = `
    import { createEmbeddedClickHouse } from ${JSON.stringify(pathOf('infra/clickhouse/embedded/client.ts'))}
    const clickhouse = createEmbeddedClickHouse({ path: process.argv[1] })
    ${code}`
  return execFileSync(process.execPath, [...loader, '--input-type=module', '-e', script, path], {
    stdio: 'pipe',
    encoding: 'utf8',
  })
}

/** The process is killed as it is. */
function make(path: string, statements: readonly string[]): void {
  try {
    run(
      path,
      `for (const statement of ${JSON.stringify(statements)}) await clickhouse.run(statement)
    process.kill(process.pid, 'SIGKILL')`,
    )
  } catch (error) {
    if (!(error instanceof Error && 'signal' in error && error.signal === 'SIGKILL')) throw error
  }
}

test('Kafka tables of an earlier process are gone when ClickHouse opens the folder, and nothing else is', (t) => {
  const path = temporaryFolder()
  const kafka = (name: string) =>
    `CREATE TABLE d.${name} (a Int64) ENGINE = Kafka SETTINGS kafka_broker_list = '127.0.0.1:1', kafka_topic_list = 't', kafka_group_name = 'g', kafka_format = 'JSONEachRow'`
  const view = (name: string, from: string) =>
    `CREATE MATERIALIZED VIEW d.${name} TO d.s__delivered AS SELECT a FROM d.${from}`
  make(path, [
    'CREATE DATABASE d',
    'CREATE TABLE d.s__delivered (a Int64) ENGINE = MergeTree ORDER BY a',
    'INSERT INTO d.s__delivered VALUES (1)',
    kafka('s__topic'),
    view('s__delivered__from__topic', 's__topic'),
    'CREATE TABLE d.other__topic (a Int64) ENGINE = MergeTree ORDER BY a',
    view('other__view', 'other__topic'),
    kafka('of_another'),
  ])
  const told = run(
    path,
    `
    const rows = (text) => clickhouse.rows({ text, params: {} })
    const tables = await rows("SELECT name FROM system.tables WHERE database = 'd' ORDER BY name")
    const events = await rows('SELECT a FROM d.s__delivered')
    await clickhouse.close()
    process.stdout.write(JSON.stringify([tables.map(({ name }) => name), events.map(({ a }) => Number(a))]))`,
  )
  t.deepEqual(JSON.parse(told), [['of_another', 'other__topic', 'other__view', 's__delivered'], [1]])
  t.false(readdirSync(join(path, 'metadata')).length === 0)
})
