/** A wrong url, key, certificate or server: one clear line from both clients and the command, and at once. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import test from 'ava'
import { connect } from '../../clients/node/src/index.ts'
import { ensureHttpx } from '../../scripts/parts/httpx.js'
import { freePort } from '../../scripts/processes/ports.js'
import { programOf } from '../support/program.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { hasOpenssl, makeCertificate, openDoor } from '../support/tls-door.ts'

const packages = await ensureHttpx()
const service = await startService({ API_KEYS: 'require', ADMIN_KEY: 'an-admin-key-of-this-test-of-mistakes' })
test.after.always(() => service.close())

type Mistake = { readonly url: string; readonly key?: string }
const ways: Readonly<Record<string, (mistake: Mistake) => Promise<string>>> = {
  JavaScript: async ({ url, key = '' }) => {
    try {
      await connect({ url, key, patience_ms: 0 }).schemas.list().all()
      return ''
    } catch (error) {
      return (error as Error).message
    }
  },
  'the command': ({ url, key = '' }) =>
    toldBy(process.execPath, [...programOf('clients/node/cli/main.ts'), 'saved', '--url', url, '--key', key], {}),
  ...(packages !== undefined && {
    Python: ({ url, key = '' }: Mistake) =>
      toldBy(
        'python3',
        [
          '-c',
          'import sys\nfrom weir_client import Weir, WeirError\ntry:\n    list(Weir(sys.argv[1], key=sys.argv[2], patience_s=0).schemas.list())\nexcept WeirError as error:\n    print(error, file=sys.stderr)',
          url,
          key,
        ],
        { PYTHONPATH: [packages, join(process.cwd(), 'clients/python')].join(delimiter), PYTHONDONTWRITEBYTECODE: '1' },
      ),
  }),
}

function toldBy(program: string, args: readonly string[], settings: Readonly<Record<string, string>>): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: temporaryFolder(), ...settings }
  return new Promise((resolve) => {
    execFile(program, args, { env }, (_, __, stderr) => resolve(stderr.trimEnd()))
  })
}

async function clear(t: { true(is: boolean, why?: string): boolean }, mistake: Mistake, expected: RegExp) {
  for (const [way, tell] of Object.entries(ways)) {
    const said = await tell(mistake)
    t.true(expected.test(said) && !said.includes('\n'), `${way}: ${said}`)
  }
}

test('an address at which nothing listens', async (t) => {
  const url = `http://127.0.0.1:${await freePort()}`
  await clear(t, { url }, /no Weir answers at http:\/\/127\.0\.0\.1:\d+: nothing listens there/)
})

test('a url without its beginning', (t) =>
  clear(t, { url: 'localhost:18080' }, /the url is such as http:\/\/localhost:18080 .*, not 'localhost:18080'/))

test('a host that is none', (t) =>
  clear(t, { url: 'http://weir.invalid' }, /no Weir answers at http:\/\/weir\.invalid: the host has no address/))

test('a server that is no Weir', async (t) => {
  const server = createServer((_, response) => response.writeHead(404).end('<html>\nnothing here</html>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  await clear(
    t,
    { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    /with 404 is no Weir: <html> nothing here/,
  )
})

test('an older Weir, which has no such call', async (t) => {
  const server = createServer((_, response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"errcode":-1,"error":["no such call"]}'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  await clear(t, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, /^(?:weir: )?no such call$/)
})

test('no key, and a key that is none', async (t) => {
  await clear(t, { url: service.url }, /key/)
  await clear(t, { url: service.url, key: 'weir_nonsense' }, /key/)
})

const withOpenssl = hasOpenssl ? test : test.skip

withOpenssl("a certificate that is not trusted, and http and https in each other's place", async (t) => {
  const door = await openDoor(t, makeCertificate())
  door.leadTo(Number(new URL(service.url).port))
  const place = door.address
  await clear(
    t,
    { url: `https://${place}` },
    /no Weir answers at https:\S+: its certificate is (?:not trusted|signed by)/,
  )
  await clear(t, { url: service.url.replace('http:', 'https:') }, /it speaks no TLS; the url should begin with http:/)
  const began = performance.now()
  await t.throwsAsync(connect({ url: `https://${place}` }).health(), { message: /certificate/ })
  t.true(performance.now() - began < 10_000, 'it is told at once, whatever the patience')
})
