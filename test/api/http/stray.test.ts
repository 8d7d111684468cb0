import test from 'ava'
import { z } from 'zod'
import { type Call, parameter } from '../../../api/http/call.ts'
import { refuseStray, strayIn } from '../../../api/http/stray.ts'

const says = { says: '', schema: z.string().optional() }
const edit: Pick<Call, 'query'> = { query: { dry: says, force: says, strict: says } }
const removal: Pick<Call, 'query'> = { query: { dry: says, undo: says } }
const post: Pick<Call, 'query'> = {}

for (const [query, call, told] of [
  [{ dry: '1' }, edit, undefined],
  [{ dry: '1' }, post, /^dry is no parameter of this call, and would be passed over/],
  [{ dry: '0' }, post, /^dry is no parameter/],
  [{ dyr: '1' }, edit, /^dyr is no parameter of this call; did you mean dry\?/],
  [{ DRY: '1' }, edit, /did you mean dry/],
  [{ dry_run: '1' }, removal, /^dry_run is no parameter of this call; did you mean dry\?/],
  [{ 'dry-run': '1' }, removal, /did you mean dry/],
  [{ dryRun: 'true' }, removal, /did you mean dry/],
  [{ dryrun: '1' }, post, /would be passed over: this call does what it says; it takes none/],
  [{ undo_hours: '24' }, removal, /did you mean undo/],
  [{ keep: '24' }, removal, /^keep is no parameter of this call: it takes dry, undo$/],
  [{ undo: '24' }, edit, /^undo is no parameter/],
  [{ rebuld: '1' }, post, /^rebuld is no parameter/],
  [{ key: 'a' }, post, /^key is no parameter of this call: it takes none$/],
] as const) {
  test(`${JSON.stringify(query)} is ${told === undefined ? 'passed' : 'refused'} on a call that knows ${Object.keys(call.query ?? {}).join(', ') || 'none'}`, (t) => {
    if (told === undefined) t.notThrows(() => refuseStray(query, call))
    else t.throws(() => refuseStray(query, call), { message: told })
  })
}

test('of many unknown parameters ten are named', (t) => {
  const query = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, '']))
  const told = strayIn(query, { query: { limit: parameter('') } })
  t.is(told.length, 11)
  t.is(told.at(-1), '4990 more parameters are unknown')
})
