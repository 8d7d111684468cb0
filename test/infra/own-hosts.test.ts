import { hostname } from 'node:os'
import test from 'ava'
import { createOwnHosts } from '../../infra/own-hosts.ts'

const address = (text: string, family: 'IPv4' | 'IPv6') =>
  ({ address: text, family, netmask: '', mac: '', internal: false, cidr: null, scopeid: 0 }) as const
const interfaces = () => ({ eth0: [address('192.0.2.7', 'IPv4'), address('2001:db8::7', 'IPv6')] })

const settings = {
  HOST: '127.0.0.1',
  ALLOWED_HOSTS: ['weir.example.org', 'api:8080', '[2001:db8::99]', '198.51.100.9'],
}
const isOwn = createOwnHosts(settings, interfaces)

const table: readonly [host: string, own: boolean][] = [
  ['localhost', true],
  ['localhost:18080', true],
  ['LocalHost:1', true],
  ['localhost.', true],
  ['127.0.0.1:18080', true],
  ['127.1.2.3', true],
  ['127.1:18080', true],
  ['[::1]:18080', true],
  ['[0:0:0:0:0:0:0:1]', true],
  ['[::ffff:127.0.0.1]', true],
  [`${hostname()}:18080`, true],
  ['192.0.2.7:18080', true],
  ['[2001:db8::7]:18080', true],
  ['[2001:DB8:0::7]', true],
  ['weir.example.org', true],
  ['Weir.Example.org:18080', true],
  ['weir.example.org.:443', true],
  ['api:8080', true],
  ['api:8081', false],
  ['api', false],
  ['[2001:db8::99]:1', true],
  ['198.51.100.9:80', true],
  ['192.0.2.8', false],
  ['[2001:db8::8]', false],
  ['0.0.0.0:18080', false],
  ['evil.example', false],
  ['localhost.evil.example', false],
  ['evil.localhost', false],
  ['weir.example.org.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['localhost@evil.example', false],
  ['evil.example/localhost', false],
  ['evil.example#localhost', false],
  ['evil.example\\localhost', false],
  ['localhost evil.example', false],
  ['[::1', false],
  ['localhost:99999', false],
  ['', false],
]

for (const [host, own] of table) {
  test(`the host ${JSON.stringify(host)} is ${own ? 'this machine' : 'another one'}`, (t) => {
    t.is(isOwn(host), own)
    t.is(isOwn(host), own, 'when it is asked again')
  })
}

test('the address that a connection came in by is this machine, whatever its interfaces said before', (t) => {
  const asks = createOwnHosts({ HOST: '0.0.0.0', ALLOWED_HOSTS: [] }, () => ({}))
  t.true(asks('203.0.113.5:18080', '203.0.113.5'))
  t.true(asks('203.0.113.6:18080', '::ffff:203.0.113.6'))
  t.false(asks('203.0.113.7:18080', '203.0.113.6'))
  t.true(asks('0.0.0.0:18080', '127.0.0.1'), 'it listens there')
})
