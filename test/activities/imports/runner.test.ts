/** The end of an import is written once ClickHouse takes it: until then it is under way, and in no other process. */
import { Readable } from 'node:stream'
import test from 'ava'
import { pino } from 'pino'
import type { Progress } from '../../../activities/imports/record.ts'
import { createImportRunner } from '../../../activities/imports/runner.ts'
import { writeJson } from '../../../base/json.ts'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { until } from '../../support/until.ts'

const definition = { from: { bucket: 'b', key: 'f.ndjson' }, format: 'NDJSON', into: 's.st' }
const asked = { definition: writeJson(definition), by: 'test', at_us: 1, types: {} }
const begun: Progress = {
  ...{ state: 'running', home: 'home', process: 'me', isAhead: false, tries: 0, num_files: 1, files_done: 0 },
  ...{ bytes: 8, bytes_done: 0, accepted: 0, repeated: 0, refused: 0, errors: [], notes: [] },
}

/** Ends of an import are not taken `failures` times. */
function createRunner(failures: number, rows: string | undefined) {
  let latest = begun
  let left = failures
  const written: Progress['state'][] = []
  const runner = createImportRunner({
    store: {
      find: async () => ({ id: 'i', asked, progress: latest, isCancelled: false }),
      async advance(_: string, next: Progress) {
        if (next.state !== 'running' && left-- > 0) throw new ClickHouseError(0, 'connect ECONNREFUSED')
        latest = next
        written.push(next.state)
      },
    },
    objects: {
      stat: async () => ({ size: 8, version: 'v' }),
      get: async () => (rows === undefined ? undefined : { stream: Readable.from([Buffer.from(rows)]), version: 'v' }),
    },
    accept: async () => writeJson({ accepted: 1, rejected: 0, errors: [] }),
    home: 'home',
    sharing: { id: 'me', isShared: false },
    metrics: { importedRows: { inc() {} } },
    logger: pino({ level: 'silent' }),
  } as never)
  return {
    runner,
    written,
    latest: () => latest,
    launch: () => runner.launch({ id: 'i', asked, progress: begun, isCancelled: false }),
  }
}

for (const [what, rows, state] of [
  ['is done', '{"n":1}\n', 'done'],
  ['failed, since its file is gone', undefined, 'failed'],
] as const)
  test(`that an import ${what} is written when ClickHouse takes it again`, async (t) => {
    const { runner, latest, launch } = createRunner(3, rows)
    launch()
    await until('its end', async () => latest().state !== 'running', 20_000)
    t.is(latest().state, state)
    await runner.close()
  })

test('an import whose end is not written yet leaves with its process', async (t) => {
  const { runner, latest, launch } = createRunner(Number.POSITIVE_INFINITY, '{"n":1}\n')
  launch()
  await until('its rows', async () => latest().accepted === 1 || latest().isAhead, 20_000)
  await runner.close()
  t.is(latest().state, 'running')
})
