import test from 'ava'
import { greeting } from '../../api/greeting.ts'
import { readConfig } from '../../infra/config.ts'

const lines = (settings: Record<string, string>, url: string, analysts?: string): string[] =>
  greeting(readConfig(settings), { url, analysts }).split('\n')

test('a start ends with three lines: where the service listens, whether it asks for keys, what to do next', (t) => {
  const [where = '', keys = '', next = '', end] = lines({}, 'http://127.0.0.1:18080', 'http://127.0.0.1:18123')
  t.regex(
    where,
    /^Weir \d+\.\d+\.\d+ is ready at http:\/\/127\.0\.0\.1:18080, SQL .* http:\/\/127\.0\.0\.1:18123; .*\.\/data\.$/,
  )
  t.regex(keys, /^Keys: off, .*API_KEYS=require/)
  t.regex(next, /^Next: http:\/\/127\.0\.0\.1:18080 in a browser, npm run demo .*http:\/\/127\.0\.0\.1:18080\/docs/)
  t.is(end, '')
})

test('on another port the demo is named with the address of the service, and with keys the way to one', (t) => {
  const settings = { API_KEYS: 'require', ADMIN_KEY: 'a'.repeat(32) }
  const [where = '', keys = '', next = ''] = lines(settings, 'http://[::1]:21080')
  t.regex(where, /ready at http:\/\/\[::1\]:21080; data/)
  t.regex(keys, /^Keys: every call needs one .*npm run key/)
  t.regex(next, /WEIR_URL=http:\/\/\[::1\]:21080 npm run demo/)
})
