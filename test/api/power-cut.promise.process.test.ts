/** A machine that loses its power: bytes that were not synced by then may be lost, all or any part of them. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { canTrace } from '../infra/log/embedded/synced.ts'
import { anyLoss, type Lost, owedSync, startTraced } from '../support/power-cut.ts'
import { killServices, spawnService } from '../support/process.ts'
import { isTaken, randomFor, rounds } from '../support/random/seed.ts'
import { checkWhole, createIds, schema, startLoad } from '../support/requests/load.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.after.always(killServices)

/* In each gate one of both tests that cut several times also cuts what an earlier cut has left: which one, the seed picks. */
const tracing = canTrace() ? test.serial : test.serial.skip

/** Looks at what a power cut has left; where that fails, the losses are told. */
async function afterwards(t: ExecutionContext, lost: Lost, look: () => Promise<void>): Promise<void> {
  t.log(`${lost.synced} files synced, ${lost.unsynced.length} not`)
  try {
    t.deepEqual(owedSync(lost), [], 'files that must have been synced, and were not')
    await look()
  } catch (error) {
    t.log(lost.losses.join('\n'))
    throw error
  }
}

tracing('acknowledged events and records are there after a power cut, in every aggregate', async (t) => {
  t.timeout(450_000)
  const folder = realpathSync(temporaryFolder())
  const data = join(folder, 'data')
  const { client, cut } = await startTraced(data, join(folder, 'trace'))
  await client.register(schema)
  await client.ok(client.post('/db/mydb/table', { table_name: 'things', table_type: 1, key_type: 1 }))
  const load = startLoad(client, 'load.st', createIds())
  while (load.acknowledged.length < 600) await sleep(5)
  await load.stop()
  for (const key of 'abcdef') await client.ok(client.post('/db/mydb/things/doc', { _pk: key, doc: { key } }))
  t.true((await client.count('select count(*) from load.st')) >= 600)

  await afterwards(t, await cut(() => 'gone'), async () => {
    const service = await spawnService({ DATA_DIR: data })
    // The feeder may be about to note that the last batch is in: it repeats it then, and its requests count once more.
    t.is(await checkWhole(t, service.client, load.acknowledged, 'at least'), load.acknowledged.length)
    t.is(await service.client.count('select count(*) from things'), 6)
    await service.end('SIGKILL')
  })
})

tracing('a power cut amid events loses and doubles none, whatever part of the files was written', async (t) => {
  t.timeout(750_000)
  const random = randomFor(t)
  const folder = realpathSync(temporaryFolder())
  const data = join(folder, 'data')
  const ids = createIds()
  const acknowledged: number[] = []
  for (let round = 1; round <= rounds(4, isTaken(0, 2) ? 2 : 1); round++) {
    const { client, cut } = await startTraced(data, join(folder, `trace ${round}`))
    if (round === 1) await client.register(schema)
    const load = startLoad(client, 'load.st', ids)
    const before = load.acknowledged.length
    while (load.acknowledged.length < before + 170) await sleep(1)
    await sleep(random.whole(0, 900))
    const lost = await cut(anyLoss(random))
    await load.stop()
    acknowledged.push(...load.acknowledged)

    await afterwards(t, lost, async () => {
      const service = await spawnService({ DATA_DIR: data })
      // Requests are counted by nothing else: what a cut met, once more at most.
      await checkWhole(t, service.client, acknowledged, 'at least')
      await service.end('SIGKILL')
    })
  }
})

tracing('erased events come back by no power cut, whatever part of the files was written', async (t) => {
  t.timeout(750_000)
  const random = randomFor(t)
  const folder = realpathSync(temporaryFolder())
  const data = join(folder, 'data')
  let kept = 0
  for (let round = 1; round <= rounds(3, isTaken(1, 2) ? 2 : 1); round++) {
    const { client, cut } = await startTraced(data, join(folder, `trace ${round}`))
    if (round === 1) await client.register(schema)
    const before = await client.count('select count(*) from load.st')
    t.is(before, kept)
    await client.lines(
      'load.st',
      Array.from({ length: 50 }, (_, n) => ({ tag: n % 5 === 0 ? 'kept' : 'erased' })),
    )
    kept += 10
    const { retval } = await client.ok(
      client.post('/db/mydb/query', { sql: 'delete from load.st where tag = "erased"' }),
    )
    t.is(retval, 40)

    await afterwards(t, await cut(anyLoss(random)), async () => {
      const service = await spawnService({ DATA_DIR: data })
      t.is(await service.client.count('select count(*) from load.st where tag = "erased"'), 0)
      t.is(await service.client.count('select count(*) from load.st'), kept)
      await service.end('SIGKILL')
    })
  }
})
