import test from 'ava'
import { z } from 'zod'
import { refuseStray } from '../../../api/http/stray.ts'

const says = { says: '', schema: z.string().optional() }
const edit = { id: 'edit', query: { dry: says, force: says, strict: says } }
const post = { id: 'post' }

for (const [query, call, told] of [
  [{ dry: '1' }, edit, undefined],
  [{ dry: '1' }, post, /^dry is no parameter of this call, and would be passed over/],
  [{ dry: '0' }, post, undefined],
  [{ dyr: '1' }, edit, /^dyr is no parameter of this call; did you mean dry\?/],
  [{ DRY: '1' }, edit, /did you mean dry/],
  [{ undo: '24' }, edit, /^undo is no parameter/],
  [{ rebuld: '1' }, post, /^rebuld is no parameter/],
  [{ key: 'a', levk: '1', consistency: 'eventual', force: '1', day: '1' }, post, undefined],
] as const) {
  test(`${JSON.stringify(query)} is ${told === undefined ? 'passed' : 'refused'} on a call that knows ${Object.keys('query' in call ? call.query : {}).join(', ') || 'none'}`, (t) => {
    if (told === undefined) t.notThrows(() => refuseStray(query, call))
    else t.throws(() => refuseStray(query, call), { message: told })
  })
}
