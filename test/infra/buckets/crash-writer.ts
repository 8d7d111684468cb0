// Puts objects into bucket `b` of the store that is named by its argument until it is killed: writers side by side, each
// with keys of its own, now and then over its older ones. Every put that was acknowledged is a line `key size` on stdout.

import { Readable } from 'node:stream'
import { chunksOf } from './crash-content.ts'
import { openStore } from './harness.ts'

const { objects } = await openStore(JSON.parse(process.argv[2] ?? ''))

async function writer(name: string, size: number): Promise<void> {
  for (let i = 0; ; i++) {
    const key = `${name}/${i % 20}`
    const length = size + i
    await objects.put('b', key, Readable.from(chunksOf(key, length), { objectMode: false }))
    process.stdout.write(`${key} ${length}\n`)
  }
}

await Promise.all([writer('short', 1_000), writer('medium', 3_000_000), writer('long', 20_000_000)])
