import test from 'ava'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const hubs = 20
/** How many writes of each round are acknowledged before it is killed. */
const rounds = [100, 15, 150, 3]

test('after kill -9 amid writes each acknowledged node and relation is there once, with the values that came first', async (t) => {
  t.timeout(300_000)
  const DATA_DIR = temporaryFolder()
  let service = await spawnService({ DATA_DIR })
  await service.client.ok(service.client.get('/graph/g/new'))
  let next = 0
  const acknowledged = new Set<number>()
  for (const [round, enough] of rounds.entries()) {
    const { client } = service
    for (let hub = 0; hub < hubs; hub++)
      await client.ok(client.send('POST', '/graph/g/query', `CREATE (P:r${round}h${hub} {"first": "${round} ${hub}"})`))
    const wanted = acknowledged.size + enough
    let isKilled = false
    const clients = Array.from({ length: 16 }, async () => {
      while (!isKilled) {
        const i = next++
        const text = `CREATE (P:r${round}h${i % hubs} {"first": ${i}})-[R {"i": ${i}}]->(Q:q${i} {"i": ${i}})-[S {"i": ${i}}]->(P:end)`
        const answer = await client.send('POST', '/graph/g/query', text).catch(() => undefined)
        if (answer?.status === 200) acknowledged.add(i)
      }
    })
    await until(`${enough} writes`, () => acknowledged.size >= wanted)
    const killed = service.end('SIGKILL')
    isKilled = true
    await Promise.all([killed, ...clients])
    service = await spawnService({ DATA_DIR })
  }

  const { client } = service
  const rows = async (text: string) => (await client.ok(client.send('POST', '/graph/g/query', text))).rows
  for (const [pattern, column] of [
    ['(P:*)-[@x R]->(Q:*)', 'x.i'],
    ['(Q:*)-[@x S]->(P:end)', 'x.i'],
    ['(@x Q:*)', 'x.i'],
  ]) {
    const found: number[] = (await rows(`s=>${pattern}; RETURN ${column}`)).map(({ i }: { i: number }) => i)
    const kept = new Set(found)
    t.is(found.length, kept.size, `${pattern}: none is doubled`)
    const lost = [...acknowledged].filter((i) => !kept.has(i))
    t.deepEqual(lost, [], `${pattern}: none is lost`)
  }
  const values: { name: string; first?: string }[] = await rows('s=>(@p P:*); RETURN p.name, p.first')
  const expected = rounds.flatMap((_, round) =>
    Array.from({ length: hubs }, (_, hub) => ({ name: `r${round}h${hub}`, first: `${round} ${hub}` })),
  )
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  t.deepEqual(values.toSorted(byName), [...expected, { name: 'end' }].toSorted(byName))
})
