/** Saved questions of a real process that is killed. */
import test from 'ava'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.after.always(killServices)

test('after kill -9 each question that was acknowledged is there, at its version, with the earlier ones', async (t) => {
  const folder = temporaryFolder()
  const saved = new Map<string, number>()
  for (let round = 1; round <= 3; round++) {
    const service = await spawnService({ DATA_DIR: folder })
    const { client } = service
    for (const [name, version] of saved) {
      t.is((await client.ok(client.get(`/saved/${name}`))).version, version)
      t.deepEqual((await client.ok(client.get(`/saved/${name}/rows`))).rows, [{ name, version }])
      t.deepEqual((await client.ok(client.get(`/saved/${name}/rows?version=1`))).rows, [{ name, version: 1 }])
    }
    const sending = Array.from({ length: 12 }, async (_, i) => {
      const name = `q${i % 4}`
      const version = (saved.get(name) ?? 0) + 1
      if (i >= 4) return
      const sql = `SELECT '${name}' AS name, ${version} AS version`
      const { status, body } = await client.send('PUT', `/saved/${name}`, { sql })
      if (status === 200) saved.set(name, body.version)
    })
    await Promise.all(sending)
    // One more is under way: it is there, or it is not.
    const unsure = client.send('PUT', '/saved/unsure', { sql: `SELECT ${round} AS n` }).catch(() => undefined)
    await service.end('SIGKILL')
    await unsure
  }
  t.is(saved.size, 4)
  const { client } = await spawnService({ DATA_DIR: folder })
  const { saved: list } = await client.ok(client.get('/saved'))
  t.deepEqual(
    list
      .filter(({ name }: { name: string }) => name !== 'unsure')
      .map(({ name, version }: { name: string; version: number }) => [name, version]),
    [...saved].toSorted(),
  )
})
