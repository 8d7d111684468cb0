/** Which attributes of a schema's streams hold answers of models, or come from such answers. */
import test from 'ava'
import { answersIn, isPartOf } from '../../../sql/schema/answers.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'

const attr = ['age', 'risk', 'fine'].map((name) => ({ name, type: 'DOUBLE' }))
const of = (name: string, type = 'DOUBLE') => ({ name, type })
const math = (name: string, text: string) => ({ name, type: 'DOUBLE', opnm: 'MATH_EXP', iatr: [text] })
const pred = { name: 'risk', type: 'DOUBLE', opnm: 'PRED', algo: 'TREE', attr_type: 'NUM', model: 'm', iatr: ['age'] }
const key = { name: 'age', type: 'DOUBLE', iatr: ['age'] }

const jqry = { cond: ['age'], args: ['age'] }

const schema = decodeSchema({
  schema: 'shop',
  streams: [
    {
      ...{ name: 'asked', type: 1, swsz: 0, attr },
      catr: [pred, math('twice', '$risk * 2'), math('more', '$twice + $age'), math('years', '$age * 2')],
      enty: [{ name: 'e', opid: 3, ratr: ['risks', 'ages'], iatr: ['more', 'age'], pkatr: [key], rstm: 'people' }],
      fltr: [
        {
          name: 'f',
          fqry: { name: '{"query":[{"key":"age","cmp_op":1,"val":0}],"qtype":1}', type: 1 },
          ...{ fatr: ['age', 'twice'], catr: [math('half', '$risk / 2')], ostm: 'copies' },
        },
      ],
    },
    { name: 'people', type: 4, inpt: ['asked'] },
    { ...{ name: 'copies', type: 2, inpt: ['asked'], swsz: 0 }, attr: [of('age'), of('twice'), of('half')] },
    {
      ...{
        name: 'sales',
        type: 1,
        swsz: 0,
        attr: [...['age', 'known', 'old', 'usual', 'times'].map((name) => of(name))],
      },
      refr: [
        { name: 'r', rstm: 'asked', iatr: ['known', 'old'], ratr: ['risk', 'age'], jqry },
        { name: 'u', rstm: 'people', iatr: ['usual', 'times'], ratr: ['risks.avg', 'ages.avg'], jqry },
      ],
      catr: [math('sum', '$known + 1')],
    },
  ],
})

const told = (stream: string) =>
  Object.fromEntries(
    (answersIn(schema).get(stream) ?? []).map(({ name, model, isDerived }) => [name, `${model} ${isDerived}`]),
  )

test('an attribute comes from an answer where any of its inputs does, over any number of steps', (t) => {
  t.deepEqual(told('asked'), { risk: 'm false', twice: 'm true', more: 'm true' })
})

test('copies by filters and what filters compute, and statistics of an entity stream, come from answers, too', (t) => {
  t.deepEqual(told('copies'), { twice: 'm true', half: 'm true' })
  t.deepEqual(told('people'), { risks: 'm true' })
})

test('what a reference brings comes from an answer where it is one in its stream or entity', (t) => {
  t.deepEqual(told('sales'), { known: 'm false', usual: 'm true', sum: 'm true' })
})

test('a field of an object is a part of it, and a name that begins alike is none', (t) => {
  t.true(isPartOf('a.b', 'a'))
  t.true(isPartOf('a', 'a'))
  t.false(isPartOf('ab', 'a'))
  t.false(isPartOf('a', 'a.b'))
})
