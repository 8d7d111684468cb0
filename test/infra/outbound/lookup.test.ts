/** Names of endpoints, and servers of names that never answer. */
import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createCheckedLookup } from '../../../infra/outbound/lookup.ts'
import { createResolve, type ResolveDeps } from '../../../infra/outbound/resolve.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder()
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** A server of names (RFC 1035) that knows addresses of version 4, and says nothing at all about `dead`. */
async function openNames(known: Readonly<Record<string, string>>) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.').toLowerCase()
    asked.push(name)
    if (name.includes('dead')) return
    const found = question.readUInt16BE(at + 1) === 1 ? known[name] : undefined
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(name in known ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(found === undefined ? 0 : 1, 6)
    head.writeUInt32BE(0, 8)
    const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...(found ?? '').split('.').map(Number)]
    const answer = [head, question.subarray(12, at + 5), ...(found === undefined ? [] : [Buffer.from(record)])]
    socket.send(Buffer.concat(answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { servers: [`127.0.0.1:${socket.address().port}`], asked, close: () => socket.close() }
}

const names = await openNames({
  'well.test': '93.184.216.34',
  'inner.test': '10.1.2.3',
  'hook.corp.test': '93.184.216.35',
})
test.after.always(() => names.close())

const nothing = { hostsFile: fileOf('no-hosts', ''), resolverFile: fileOf('no-search', '') }

const ask = (host: string, deps: ResolveDeps = {}, allowsInternal = false): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const lookup = createCheckedLookup(allowsInternal, createResolve({ servers: names.servers, ...nothing, ...deps }))
    lookup(host, { all: true }, (error, found) => {
      if (error) reject(error)
      else resolve((found as LookupAddress[]).map(({ address }) => address))
    })
  })

test('names whose servers never answer delay no other name, and have an end', async (t) => {
  const resolve = createResolve({ servers: names.servers, ...nothing, time_ms: 1_500 })
  const began = performance.now()
  const dead = Array.from({ length: 60 }, (_, i) => resolve(`dead${i}.test`))
  for (const each of dead) each.catch(() => {})
  t.deepEqual(await resolve('well.test'), [{ address: '93.184.216.34', family: 4 }])
  t.true(performance.now() - began < 1_000, 'it did not wait for those')
  await Promise.all(dead.map((each) => t.throwsAsync(each)))
  t.true(performance.now() - began < 10_000)
})

test('those that ask for one name at once share a question', async (t) => {
  const resolve = createResolve({ servers: names.servers, ...nothing, time_ms: 300 })
  const many = Array.from({ length: 50 }, () => resolve('dead-shared.test').catch(() => {}))
  await Promise.all(many)
  t.true(names.asked.filter((name) => name === 'dead-shared.test').length <= 4)
})

test('an internal address refuses its host, by whatever way it was found', async (t) => {
  const hosts = { hostsFile: fileOf('hosts', '# own\n127.0.0.1 localhost\n192.168.7.7 Named.test other # more\n') }
  for (const host of ['inner.test', 'named.test', 'other', 'localhost', 'a.localhost']) {
    await t.throwsAsync(ask(host, hosts), { message: /is an internal address/ }, host)
  }
  t.deepEqual(await ask('named.test', hosts, true), ['192.168.7.7'])
  t.deepEqual(await ask('inner.test', hosts, true), ['10.1.2.3'])
})

test('the file of hosts goes before the servers, and domains are searched', async (t) => {
  const hosts = { hostsFile: fileOf('first', '93.184.216.99\twell.test\n') }
  t.deepEqual(await ask('well.test', hosts), ['93.184.216.99'])
  const search = { resolverFile: fileOf('search', 'nameserver 127.0.0.1\nsearch nowhere.test corp.test\n') }
  t.deepEqual(await ask('hook', search), ['93.184.216.35'])
  t.deepEqual(await ask('WELL.test', search), ['93.184.216.34'])
  await t.throwsAsync(ask('absent.test', search), { code: 'ENOTFOUND' })
})
