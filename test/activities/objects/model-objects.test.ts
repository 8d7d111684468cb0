import test from 'ava'
import { namesakes } from '../../../activities/objects/model-objects.ts'

const shown = (model: string, schema: string) =>
  namesakes(model, schema).map((other) => `${other.model} of ${other.schema}`)

test('models are namesakes whose objects would have the same keys', (t) => {
  t.deepEqual(shown('m', 's'), [])
  t.deepEqual(shown('my_model', 'a_schema'), [])
  t.deepEqual(shown('a__b', 'c'), ['a of b__c'])
  t.deepEqual(shown('a', 'b__c'), ['a__b of c'])
  t.deepEqual(shown('a_', 'b'), ['a of _b'])
  t.deepEqual(shown('a__b', 'c__d'), ['a of b__c__d', 'a__b__c of d'])
})
