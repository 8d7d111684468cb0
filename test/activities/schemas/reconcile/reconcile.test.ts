import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createReconcile } from '../../../../activities/schemas/reconcile/reconcile.ts'
import { createMutex } from '../../../../base/mutex.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { createMetrics } from '../../../../infra/metrics.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import type { Schema } from '../../../../sql/schema/schema.ts'

const schema = decodeSchema({
  schema: 's',
  streams: [
    {
      ...{ name: 'visit', type: 1, swsz: 0, attr: [{ name: 'user', type: 5 }] },
      enty: [
        {
          ...{ name: 'visits', opid: 'COUNT', ratr: ['visits'], iatr: ['user'], rstm: 'profile' },
          pkatr: [{ name: 'user', type: 5, iatr: ['user'] }],
        },
      ],
    },
    { name: 'profile', type: 4, inpt: ['visit'] },
    { name: 'other', type: 1, swsz: 0, attr: [{ name: 'a', type: 5 }] },
  ],
})

/** A registry with one schema, as it is at each question. */
const registryOf = (now: () => Schema) => {
  const found = () => ({ schema: now() })
  return { all: () => [found()], schema: found, find: found } as never
}

test('references follow a repair: what they remember of the stream and of entities is filled anew, and nothing where all fits', async (t) => {
  const refilled: unknown[] = []
  let repaired = 0
  const reconcile = createReconcile({
    registry: registryOf(() => schema),
    exclusively: createMutex(),
    reconcileSchema: async () => [
      { stream: 'visit', table: 'profile__keys', checked: 5, wrong: repaired, repaired },
      { stream: 'other', table: 'other__60', checked: 5, wrong: 0, repaired: 0 },
    ],
    rules: {
      async refill(...asked) {
        refilled.push(asked)
      },
    },
    delivery: { drained: async () => {}, resuming: () => [] },
    wasCutOff: async () => false,
    leaveCutOff() {},
    logger: silentLogger(),
    metrics: createMetrics(),
  })
  await reconcile.run('s')
  t.deepEqual(refilled, [])
  repaired = 2
  const [report] = await reconcile.run('s')
  t.is(report?.error, undefined)
  t.deepEqual(refilled, [['s', ['visit', 'profile']]])
})

/** Compares a schema that is edited `edits` times meanwhile: each time a table that is read is gone. */
function reconciledAmid(edits: number) {
  let now = { ...schema }
  const changing = createMutex()
  const compared: Schema[] = []
  const reconcile = createReconcile({
    registry: registryOf(() => now),
    exclusively: changing,
    async reconcileSchema(before) {
      compared.push(before)
      if (compared.length > edits) return []
      // The table goes first, and what is registered is changed while the edit lasts.
      void changing(async () => {
        await sleep(20)
        now = { ...now }
      })
      throw new Error('Code: 60. DB::Exception: Unknown table')
    },
    rules: { async refill() {} },
    delivery: { drained: async () => {}, resuming: () => [] },
    wasCutOff: async () => true,
    leaveCutOff() {},
    logger: silentLogger(),
    metrics: createMetrics(),
  })
  return { reconcile, compared, last: () => now }
}

test('a schema that is edited while it is compared is compared as it is by then, and nothing is wrong', async (t) => {
  const { reconcile, compared, last } = reconciledAmid(2)
  await reconcile.afterCut()
  t.deepEqual(reconcile.uncompared(), [])
  t.is(compared.length, 3)
  t.is(compared.at(-1), last())
})

test('a schema that is edited without end is not compared without end, and the reason is told', async (t) => {
  const { reconcile, compared } = reconciledAmid(Number.POSITIVE_INFINITY)
  const [report] = await reconcile.run('s')
  t.regex(report?.error ?? '', /Unknown table/)
  t.is(compared.length, 4)
})
