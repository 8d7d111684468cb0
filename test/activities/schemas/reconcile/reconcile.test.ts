import test from 'ava'
import { createReconcile } from '../../../../activities/schemas/reconcile/reconcile.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { createMetrics } from '../../../../infra/metrics.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'

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

test('references follow a repair: what they remember of the stream and of entities is filled anew, and nothing where all fits', async (t) => {
  const refilled: unknown[] = []
  let repaired = 0
  const reconcile = createReconcile({
    registry: { all: () => [{ schema }], schema: () => ({ schema }) } as never,
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
