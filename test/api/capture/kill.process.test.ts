/** Bodies of line protocol whose client sends them again until they are answered, to a process that is killed. */
import test from 'ava'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.after.always(killServices)

const linesOf = 40
/** 40 lines with times: the body of a try is that of the next one. */
const bodyOf = (n: number): string =>
  Array.from({ length: linesOf }, (_, i) => `st n=${n * linesOf + i}i ${1_793_491_200_000_000 + n * linesOf + i}`).join(
    '\n',
  )

test('after kill -9 each line of a body that was answered is there once, however often its client sends it', async (t) => {
  const folder = temporaryFolder()
  const answered = new Set<number>()
  const unanswered = new Set<number>()
  for (let round = 0; round < 2; round++) {
    const service = await spawnService({ DATA_DIR: folder })
    const { client } = service
    const attr = [{ name: 'n', type: 'LONG' }]
    if (round === 0)
      await client.ok(client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }))
    let isKilled = false
    const write = async (n: number): Promise<void> => {
      unanswered.add(n)
      try {
        const { status, text } = await client.send('POST', '/api/v2/write?bucket=s&precision=us', bodyOf(n))
        if (status === 204) answered.add(n)
        else if (!isKilled) t.fail(text)
      } catch (error) {
        if (!isKilled) throw error
      }
      if (answered.has(n)) unanswered.delete(n)
    }
    await Promise.all([...unanswered].map(write))
    const first = round * 1000
    const sending = Array.from({ length: 20 }, async (_, lane) => {
      for (let i = 0; i < 25 && !isKilled; i++) await write(first + lane * 25 + i)
    })
    while (answered.size < round * 30 + 30) await new Promise((resolve) => setTimeout(resolve, 5))
    isKilled = true
    await service.end('SIGKILL')
    await Promise.all(sending)
  }
  const { client } = await spawnService({ DATA_DIR: folder })
  for (const n of [...answered, ...unanswered]) {
    t.is((await client.send('POST', '/api/v2/write?bucket=s&precision=us', bodyOf(n))).status, 204)
    answered.add(n)
  }
  const { text } = await client.post('/sql', {
    sql: 'SELECT count(), uniqExact(n) FROM s.st',
    format: 'JSONCompactEachRow',
  })
  t.deepEqual(JSON.parse(text).map(Number), [answered.size * linesOf, answered.size * linesOf])
})
