/** Deliveries of senders who repeat what was not answered, to a process that is killed. */
import test from 'ava'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { secrets, signed } from './signed.ts'

test.after.always(killServices)

test('after kill -9 each delivery that was answered is there once, however often its sender repeats it', async (t) => {
  const folder = temporaryFolder()
  const attr = [{ name: 'n', type: 9 }]
  const answered = new Set<number>()
  const unanswered = new Set<number>()
  for (let round = 0; round < 3; round++) {
    const service = await spawnService({ DATA_DIR: folder })
    const { client } = service
    if (round === 0) {
      await client.ok(client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }))
      const verify = { scheme: 'standard', secret: secrets.standard }
      await client.ok(client.send('PUT', '/hook/h', { into: 's.st', verify }))
    }
    let isKilled = false
    const deliver = async (n: number): Promise<void> => {
      const body = JSON.stringify({ n })
      try {
        const { status } = await client.send('POST', '/hook/h', body, await signed.standard(body, { id: `msg_${n}` }))
        if (status === 200) answered.add(n)
      } catch (error) {
        if (!isKilled) throw error
      }
      if (answered.has(n)) unanswered.delete(n)
      else unanswered.add(n)
    }
    await Promise.all([...unanswered].map(deliver))
    const first = round * 1000
    const sending = Array.from({ length: 40 }, async (_, lane) => {
      for (let i = 0; i < 25 && !isKilled; i++) await deliver(first + lane * 25 + i)
    })
    while (answered.size < first / 10 + 40) await new Promise((resolve) => setTimeout(resolve, 5))
    isKilled = true
    await service.end('SIGKILL')
    await Promise.all(sending)
  }
  const { client } = await spawnService({ DATA_DIR: folder })
  for (const n of [...answered, ...unanswered].slice(-200)) {
    const body = JSON.stringify({ n })
    const answer = await client.send('POST', '/hook/h', body, await signed.standard(body, { id: `msg_${n}` }))
    t.is(answer.status, 200, answer.text)
    if (answered.has(n)) t.is(answer.body.repeated, 1, `${n} was answered, and comes anew`)
    answered.add(n)
  }
  const { rows } = await client.ok(client.query('select * from s.st limit 10000'))
  const found: number[] = rows.map(({ v }: { v: string }) => JSON.parse(v).n)
  t.is(new Set(found).size, found.length, 'no event is there twice')
  for (const n of answered) t.true(found.includes(n), `${n} was answered`)
})
