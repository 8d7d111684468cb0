import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import type { ExecutionContext } from 'ava'
import { temporaryFolder } from './temporary-folder.ts'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** Files: an authority, and a certificate for 127.0.0.1 that it has signed. */
export type Certificate = { readonly authority: string; readonly key: string; readonly cert: string }

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const openssl = (...parts: readonly string[]) => execFileSync('openssl', parts, { stdio: 'pipe' })

/** A certificate by an authority of its own. */
export function makeCertificate(): Certificate {
  const folder = temporaryFolder()
  const file = (name: string) => join(folder, name)
  const authority = { key: file('authority.key'), cert: file('authority.pem') }
  const own = { key: file('own.key'), cert: file('own.pem'), request: file('own.csr'), extensions: file('own.ext') }
  openssl(
    'req',
    '-x509',
    ...curve,
    '-days',
    '2',
    '-subj',
    '/CN=A test',
    '-keyout',
    authority.key,
    '-out',
    authority.cert,
  )
  openssl('req', ...curve, '-subj', '/CN=127.0.0.1', '-keyout', own.key, '-out', own.request)
  writeFileSync(own.extensions, 'basicConstraints=CA:FALSE\nsubjectAltName=IP:127.0.0.1\n')
  const signed = ['-CA', authority.cert, '-CAkey', authority.key, '-CAcreateserial', '-extfile', own.extensions]
  openssl('x509', '-req', '-in', own.request, ...signed, '-days', '2', '-out', own.cert)
  return { authority: authority.cert, key: own.key, cert: own.cert }
}

export type DoorOptions = {
  /** The protocols spoken behind TLS, by ALPN. */
  readonly protocols?: string[]
  /** A client without a certificate of this authority is not let in. */
  readonly clientsOf?: Certificate
}

/** Takes TLS connections, and leads them on to a port that is told later. */
export async function openDoor(
  t: ExecutionContext,
  { key, cert }: Certificate,
  { protocols = [], clientsOf }: DoorOptions = {},
) {
  let port = 0
  let connections = 0
  const options = {
    key: readFileSync(key),
    cert: readFileSync(cert),
    ALPNProtocols: protocols,
    ...(clientsOf && { requestCert: true, rejectUnauthorized: true, ca: readFileSync(clientsOf.authority) }),
  }
  const server = createServer(options, (outside) => {
    connections++
    const inside = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      from.pipe(to)
      from.once('error', () => to.destroy())
      from.once('close', () => to.destroy())
    }
  })
  server.on('tlsClientError', () => {}) // A client that does not trust the certificate ends the connection.
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(inside: number) {
      port = inside
    },
    /** How many connections have come through. */
    connections: () => connections,
  }
}
