import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { readConfig } from '../../../infra/config.ts'
import { temporalAddress } from '../../../infra/orchestration/temporal-address.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const at = (settings: Readonly<Record<string, string>>) =>
  temporalAddress(readConfig({ TEMPORAL_ADDRESS: 'temporal:7233', ...settings }))

function file(name: string, content: string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}
const pem = (name: string) => file(`${name}.pem`, `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`)

test('without an address there is no Temporal', (t) => {
  t.is(temporalAddress(readConfig({ TEMPORAL_TLS: '1' })), undefined)
})

test('TLS is off, on, on with a key, on with certificates', (t) => {
  t.deepEqual(at({}), { address: 'temporal:7233', namespace: 'default', tls: false })
  t.is(at({ TEMPORAL_TLS: '1' })?.tls, true)
  t.like(at({ TEMPORAL_API_KEY: 'secret', TEMPORAL_NAMESPACE: 'weir' }), {
    tls: true,
    apiKey: 'secret',
    namespace: 'weir',
  })
  const [authority, crt, key] = [pem('authority'), pem('weir'), pem('key')]
  const own = { TEMPORAL_TLS_CLIENT_CERT_PATH: crt, TEMPORAL_TLS_CLIENT_KEY_PATH: key }
  t.regex(JSON.stringify(at({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority })?.tls), /^{"serverRootCACertificate":/)
  t.regex(JSON.stringify(at(own)?.tls), /^{"clientCertPair":{"crt":.*"key":/)
})

test('a file that is not there or holds no certificate is told by the name of its setting', (t) => {
  const name = 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'
  t.throws(() => at({ [name]: join(temporaryFolder(), 'none.pem') }), {
    message: /^TEMPORAL_TLS_SERVER_CA_CERT_PATH: ENOENT/,
  })
  const der = file('authority.der', '\x30\x82')
  t.throws(() => at({ [name]: der }), { message: `${name}: ${der} is no PEM file` })
})
