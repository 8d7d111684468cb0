import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { startService } from '../support/service.ts'

const service = await startService({ MAX_BODY_MB: '64' })
test.after.always(() => service.close())

const attr = [{ name: 'n', type: 'LONG', stat: 'RSTAT' }]

test('the service answers others all the while that it works on a body of 30 MB', async (t) => {
  const { client } = service
  await client.register({ schema: 'busy', streams: [{ name: 's', type: 1, swsz: 0, attr }] })
  const line = `{"n":12345,"other":"${'x'.repeat(20)}"}\n`
  const count = Math.ceil((30 * 1024 * 1024) / line.length)
  const headers = { 'content-type': 'application/x-ndjson' }
  const posting = request(new URL('/stream/busy/s', client.url), { method: 'POST', headers })
  const answered = once(posting, 'response')
  posting.end(line.repeat(count))
  await once(posting, 'finish')

  // Everything is sent: from here on it is decoded, encoded and written to the log.
  let answer: IncomingMessage | undefined
  const response = answered.then(([message]: IncomingMessage[]) => {
    answer = message
    return message
  })
  let answers = 0
  while (answer === undefined) {
    t.is((await client.get('/health/live')).status, 200)
    answers++
  }
  const body = await response
  t.like(JSON.parse(body ? await text(body) : ''), { errcode: 0, accepted: count, rejected: 0 })
  // Lines are taken in turns of some milliseconds. Were they taken in one, a handful would be answered.
  t.true(answers >= 60, `${answers} answers`)
})

test('the service answers others all the while that it parses a megabyte of YAML', async (t) => {
  const { client } = service
  const members = Array.from({ length: 18_000 }, (_, i) => `      a${i}: { type: number, stats: [summary] }\n`)
  const yaml = `schema: long\nstreams:\n  s:\n    attributes:\n${members.join('')}      last: { type: &x text }\n`
  t.true(yaml.length > 700_000 && yaml.length < 1024 * 1024)
  let isAnswered = false
  const posting = client.send('POST', '/stream', yaml, { 'content-type': 'application/yaml' }).finally(() => {
    isAnswered = true
  })
  let answers = 0
  while (!isAnswered) {
    t.is((await client.get('/health/live')).status, 200)
    answers++
  }
  const { status, body } = await posting
  t.is(status, 400)
  t.regex(body.error[0], /line 18005, column 24: anchors/)
  // Parsed among the requests it would take the place of all of them.
  t.true(answers >= 60, `${answers} answers`)
})
