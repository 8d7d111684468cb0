import test from 'ava'
import { draftOfHook, hookOf } from '../../../../console/pages/doors/hook-draft.ts'

type Shown = NonNullable<Parameters<typeof draftOfHook>[0]>

const counts = { num_secrets: 1, changed: 1, by: 'me', deliveries: [], num_deliveries: 0, since: 1 }
const shown = { ...counts, name: 'a', errcode: 0 } as const

const hooks: readonly Pick<Shown, 'into' | 'verify' | 'id' | 'map' | 'time' | 'description'>[] = [
  { into: 's.st', verify: { scheme: 'stripe', tolerance_s: 60 }, id: 'data.id', time: 'created', description: 'sales' },
  { into: 's.st', verify: { scheme: 'github' }, id: { hash: 'body' }, map: { n: 'issue.number' } },
  {
    into: 's.st',
    verify: {
      ...({ scheme: 'hmac', header: 'X-Sign', algorithm: 'sha1', encoding: 'base64', prefix: 'v=' } as const),
      ...{ timestamp: 'X-Time', signed: '{timestamp}.{body}' },
    },
  },
]

test('a hook that its form does not change is saved as it is, with the secrets that it has', (t) => {
  for (const hook of hooks) t.deepEqual(hookOf(draftOfHook({ ...shown, ...hook })), hook)
})
