import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import type { Schema } from '../../../../sql/schema/schema.ts'
import { toWire, toWords } from '../../../../sql/schema/words/translate.ts'
import { randomSchema } from '../../../support/random/random-schema.ts'
import { randomFor, rounds, runs } from '../../../support/random/seed.ts'
import { canonical } from './canonical.ts'

type Wire = Parameters<typeof toWords>[0]
type Stream = Schema['streams'][number]

const root = new URL('../../../../', import.meta.url).pathname
const foldersOfSchemas = ['examples', 'test/sql/schema', 'test/upgrades']

function* schemasIn(value: unknown): Generator<Wire> {
  if (typeof value !== 'object' || value === null) return
  if (
    'schema' in value &&
    'streams' in value &&
    Array.isArray(value.streams) &&
    value.streams.every((each) => typeof each?.type !== 'undefined')
  )
    yield value as unknown as Wire
  for (const each of Object.values(value)) yield* schemasIn(each)
}

/** All schemas of files of the repository: those of the examples, and of the clients that were published. */
const published = foldersOfSchemas.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      [...schemasIn(JSON.parse(readFileSync(join(root, folder, file), 'utf8')))].map(
        (wire) => [join(folder, file), wire] as const,
      ),
    ),
)

const byName = (left: { readonly name: string }, right: { readonly name: string }) => (left.name < right.name ? -1 : 1)
const byTarget = (left: Stream['entities'][number], right: Stream['entities'][number]) =>
  left.target < right.target ? -1 : left.target > right.target ? 1 : 0

/** The meaning of a schema: the order of streams, and of the values of different entities, is none of it. */
const meaning = (wire: Wire) => {
  const { streams, ...rest } = decodeSchema(wire)
  return {
    ...rest,
    streams: streams.toSorted(byName).map(({ inputs: _, entities, ...stream }) => ({
      ...stream,
      entities: entities.toSorted(byTarget).map(({ name: __, ...entity }) => entity),
    })),
  }
}

/** Without what follows from other members, and so may be said or not. */
const withoutImplied = (wire: unknown): unknown => {
  const { streams, ...rest } = wire as { streams: Wire[] }
  return {
    ...rest,
    streams: streams.map(({ inpt: _, attr, ...stream }) => ({
      ...stream,
      ...(stream.type !== 'entity' && attr !== undefined && { attr }),
    })),
  }
}

function checkBothWays(t: ExecutionContext, wire: Wire, title: string): void {
  const words = toWords(wire)
  const { wire: again } = toWire(words)
  // The assertions of the test runner take milliseconds, and are for what differs.
  const check = (actual: unknown, expected: unknown, problem: string) =>
    isDeepStrictEqual(actual, expected) || t.deepEqual(actual, expected, `${title}: ${problem}`)
  check(meaning(again), meaning(wire), 'the schema is another one')
  check(withoutImplied(canonical(again)), withoutImplied(canonical(wire)), 'a member differs')
  check(toWords(again), words, 'the words differ')
  check(toWire(words).wire, again, 'the wire form differs the second time')
  t.pass()
}

for (const [index, [file, wire]] of published.entries())
  test(`the schema of ${file} (${index}) goes from the wire to words and back without a difference`, (t) =>
    checkBothWays(t, wire, file))

/** A test a part, each behind a turn of the event loop: where no test ends for minutes, the runner takes the file for one that hangs. */
for (let part = 0; part < runs(1, 20); part++) {
  test.serial(`random schemas go from the wire to words and back without a difference (${part})`, async (t) => {
    await turn()
    const random = randomFor(t)
    for (let count = 0; count < rounds(500, 120); count++) {
      const wire = randomSchema(random) as Wire
      try {
        checkBothWays(t, wire, `schema ${count}`)
      } catch (error) {
        t.log(JSON.stringify(wire, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)))
        throw error
      }
    }
  })
}
