/** docs/notifications.md, whose schema is registered as it stands. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const page = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8')

test('the schema of the page about notifications makes its stream and its template, and its wire form is the same', async (t) => {
  const { url, client, close } = await startService()
  t.teardown(close)
  // The page's other command tries a delivery again that is not there.
  const examples = examplesOf(page).filter(({ answer }) => answer !== '')
  t.true(examples.length > 0)
  await checkExamples(t, examples, { url, analysts: url })
  const [, wire = ''] = /```json\n(\{\n {2}"schema"[\s\S]*?)```/.exec(page) ?? []
  const inWords = await client.ok(client.get('/stream/boutique/schema'))
  await client.ok(client.send('DELETE', '/stream/boutique'))
  await client.ok(client.send('POST', '/stream', wire))
  t.deepEqual((await client.ok(client.get('/stream/boutique/schema'))).streams[0].fltr, inWords.streams[0].fltr)
  const { rows } = await client.ok(client.query('select * from reg_notif'))
  t.is(rows.length, 1)
})
