import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

test('the page of all calls comes with its files from the service alone, and may reach nothing else', async (t) => {
  const page = await client.get('/docs')
  t.is(page.status, 200)
  t.regex(page.headers.get('content-type') ?? '', /^text\/html/)
  t.notRegex(page.text, /https?:|\/\//)
  const rules = page.headers.get('content-security-policy') ?? ''
  t.regex(rules, /default-src 'none'/)
  t.notRegex(rules, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/)

  const files = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file = '']) => file)
  t.is(files.length, 3)
  for (const file of files) {
    const answer = await client.get(`/${file}`)
    t.is(answer.status, 200, file)
    t.regex(answer.headers.get('content-type') ?? '', file.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    t.is(answer.headers.get('content-security-policy'), rules)
    const again = await client.send('GET', `/${file}`, undefined, {
      'if-none-match': answer.headers.get('etag') ?? '',
      'cache-control': 'max-age=0',
    })
    t.is(again.status, 304, file)
  }
  t.is((await client.get('/docs/package.json')).status, 404)
  t.is((await client.get('/docs/..%2Fpackage.json')).status, 404)
})

test('the links of / lead somewhere', async (t) => {
  const { links } = await client.ok(client.get('/'))
  t.is(links.openapi, '/openapi.json')
  t.is(links.docs, '/docs')
  for (const link of Object.values(links)) t.is((await client.get(String(link))).status, 200, String(link))
})
