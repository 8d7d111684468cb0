import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { programOf } from '../../support/program.ts'
import { isTaken } from '../../support/random/seed.ts'
import { contentOf } from './crash-content.ts'
import { bytesOf, type Case, openStore, type Place } from './harness.ts'

/** Each kills the writer after more puts than the one before; the gate takes every other one. */
const rounds = [0, 1, 2, 3].filter((round) => isTaken(round, 2))

export const crashCases: readonly Case[] = [
  {
    title: 'after kill -9 amid writes every acknowledged object is there, and no half one is listed',
    async run(t, harness) {
      const place = harness.newPlace()
      const store = await openStore(place)
      await store.buckets.create('b')
      await store.close()
      const everAcknowledged = new Set<string>()
      for (const round of rounds) {
        const acknowledged = await writeUntilKilled(place, 12 + 7 * round)
        for (const key of acknowledged.keys()) everAcknowledged.add(key)
        const { objects, close } = await openStore(place)
        const found = new Map<string, number>()
        for await (const { key, size } of objects.list('b')) found.set(key, size)
        // A put after the last acknowledged one may have come through, and is longer.
        for (const [key, size] of acknowledged) t.true((found.get(key) ?? 0) >= size, key)
        for (const key of everAcknowledged) t.true(found.has(key), key)
        for (const [key, size] of found) t.true((await bytesOf(objects, 'b', key))?.equals(contentOf(key, size)), key)
        await close()
      }
    },
  },
]

/** Kills the writer after `count` acknowledged puts; returns the last acknowledged size by key. */
async function writeUntilKilled(place: Place, count: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [...programOf('test/infra/buckets/crash-writer.ts'), JSON.stringify(place)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const acknowledged = new Map<string, number>()
  let left = count
  for await (const line of createInterface({ input: child.stdout })) {
    const [key = '', size] = line.split(' ')
    acknowledged.set(key, Number(size))
    if (--left === 0) child.kill('SIGKILL')
  }
  await ended
  return acknowledged
}
