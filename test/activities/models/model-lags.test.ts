import test from 'ava'
import { checkModelLags } from '../../../activities/models/model-lags.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'

const schema = (model: string, lag: number) =>
  decodeSchema({
    schema: 's',
    streams: [
      {
        name: 'a',
        type: 1,
        swsz: 0,
        attr: [{ name: 'v', type: 'DOUBLE' }],
        catr: [{ name: 'p', type: 'DOUBLE', opnm: 'PRED', model, iatr: ['v'], lag }],
      },
    ],
  })

const facts = {
  ...{ task: 'numbers', attributes: [], num_attributes: 3, parameters: {}, source: {}, example: '{}' },
}
const current = async ({ model }: { readonly model: string }) => {
  if (model === 'absent') return undefined
  return { facts: model === 'plain' ? facts : { ...facts, series: { lag: 3, offset: 0, time: '_pk' } } }
}

test('a lag that is not that of its model is refused where the model is there', async (t) => {
  await t.notThrowsAsync(checkModelLags(current, schema('series', 3)))
  await t.notThrowsAsync(checkModelLags(current, schema('absent', 4)))
  await t.throwsAsync(checkModelLags(current, schema('series', 4)), {
    message: 'streams[0].catr[0].lag: lag is 4, and model series was trained with lag 3',
  })
  await t.throwsAsync(checkModelLags(current, schema('plain', 4)), {
    message: 'streams[0].catr[0].lag: lag is 4, and model plain was trained without lag',
  })
})

test('an edit is not refused for an attribute that stays as it is', async (t) => {
  await t.notThrowsAsync(checkModelLags(current, schema('series', 4), schema('series', 4)))
  await t.throwsAsync(checkModelLags(current, schema('series', 5), schema('series', 4)))
})
