import test from 'ava'
import { createRuleTasks, roomOf } from '../../../../../infra/log/kafka/rules/tasks.ts'
import { decodeSchema } from '../../../../../sql/schema/decode.ts'
import { randomFor } from '../../../../support/random/seed.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'

test('the only task that remembers anything has all of the room, however many others there are', (t) => {
  t.is(roomOf(0, Array<number>(11).fill(0), 1200), 1200)
  t.is(roomOf(1100, Array<number>(11).fill(1), 1200), 1189)
  t.is(roomOf(5, [1100, 90], 1200), 10)
})

test('past the bound the largest tasks become less until all are within it, and no other loses anything', (t) => {
  const random = randomFor(t)
  for (let round = 0; round < 500; round++) {
    const most = random.whole(1, 10_000)
    let sizes = Array.from({ length: random.whole(1, 8) }, () => random.whole(0, 5_000))
    const before = sizes
    for (const [at] of sizes.entries()) {
      const others = sizes.filter((_, other) => other !== at)
      sizes = sizes.with(at, Math.min(sizes[at] ?? 0, roomOf(sizes[at] ?? 0, others, most)))
    }
    const total = (all: readonly number[]): number => all.reduce((sum, size) => sum + size, 0)
    t.true(total(sizes) <= most || total(before) <= most, `${before} within ${most}: ${sizes}`)
    if (total(before) <= most) t.deepEqual(sizes, before)
    else t.true(total(sizes) > most - sizes.length, `${before} within ${most}: ${sizes}`)
    const cut = sizes.filter((size, at) => size < (before[at] ?? 0))
    for (const [at, size] of sizes.entries()) {
      if (size === before[at])
        t.true(
          cut.every((other) => other >= size - sizes.length),
          `${before} within ${most}: ${sizes}`,
        )
    }
  }
})

test('a process that follows an edit without rules forgets how far their topic was, which another process deletes', async (t) => {
  const forgotten: string[] = []
  const tasks = createRuleTasks({
    topics: { ensure: async () => 3, forget: (queue: string) => forgotten.push(`topic ${queue}`) },
    kafka: {
      async forget(queue: string) {
        forgotten.push(`produced ${queue}`)
      },
    },
    async forgotten(queue: string) {
      forgotten.push(`consumed ${queue}`)
    },
    path: temporaryFolder(),
    maxBytes: 1_000,
  } as never)
  const schemaWith = (more: object) =>
    decodeSchema({
      schema: 's',
      streams: [
        { name: 'a', type: 1, swsz: 0, attr: [{ name: 'v', type: 11 }], ...more },
        { name: 'rows', type: 3, swsz: 0, inpt: ['a'], attr: [] },
      ].slice(0, 'cepq' in more ? 2 : 1),
    })
  const run = {
    name: 'r',
    type: 1,
    iatr: ['v'],
    rstm: 'a',
    ratr: ['v'],
    jqry: { cond: ['v'], args: ['v'] },
    ostm: 'rows',
  }
  await tasks.serve(schemaWith({}), false)
  t.deepEqual(forgotten, [], 'of a schema that never had rules there is nothing')
  await tasks.serve(schemaWith({ cepq: [run] }), true)
  await tasks.serve(schemaWith({}), false)
  t.deepEqual(forgotten.toSorted(), [
    'consumed s.weir__turns',
    'produced s.weir__turns',
    'topic s.weir__memory',
    'topic s.weir__turns',
  ])
  await tasks.close()
})
