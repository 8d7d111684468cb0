/** Definitions of hooks: the ones that are good come back as they were sent, and the others are refused with the place. */
import test from 'ava'
import type { Json } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import { decodeHook, hookToWire } from '../../../sql/hook/definition.ts'

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='

const good: readonly { readonly [name: string]: Json }[] = [
  { into: 'shop.payments', verify: { scheme: 'stripe', tolerance_s: 300 } },
  {
    into: 's.st',
    verify: { scheme: 'github' },
    id: { hash: 'body' },
    map: { kind: 'header:X-GitHub-Event', a: 'b.0.c' },
  },
  { into: 's.st', verify: { scheme: 'standard', tolerance_s: 60 }, id: 'a.b', time: 'c', description: 'd' },
  {
    into: 's.st',
    verify: { scheme: 'hmac', header: 'X-S', algorithm: 'sha512', encoding: 'base64', prefix: 'p=', signed: '{body}' },
  },
  {
    into: 's.st',
    verify: {
      ...{ scheme: 'hmac', header: 'X-S', algorithm: 'sha1', encoding: 'hex', prefix: '' },
      ...{ timestamp: 'X-T', signed: '{timestamp}:{body}', tolerance_s: 10 },
    },
  },
]

for (const wire of good)
  test(`a definition comes back as it was sent: ${JSON.stringify(wire.verify)}`, (t) => {
    const verify = { ...(wire.verify as { [name: string]: Json }), secret }
    const { hook, secrets } = decodeHook({ ...wire, verify })
    t.deepEqual(hookToWire(hook), wire)
    t.deepEqual(secrets, [secret])
    t.deepEqual(decodeHook(wire).secrets, [])
    t.false(JSON.stringify(hookToWire(hook)).includes(secret))
  })

const into = 's.st'
const hmac = { scheme: 'hmac', secret, header: 'X-S' }
const bad: readonly [wire: { [name: string]: Json }, problem: RegExp][] = [
  [{ into: 'st', verify: { scheme: 'github', secret } }, /^into: must be a stream/],
  [{ into: 'a.b.c', verify: { scheme: 'github', secret } }, /^into: .*more than one dot/],
  [{ into }, /^verify: is missing/],
  [{ into, verify: { scheme: 'gitlab', secret } }, /^verify\.scheme: must be one of stripe, github/],
  [{ into, verify: { scheme: 'github', secret: 'short' } }, /^verify\.secret: must be at least 16/],
  [{ into, verify: { scheme: 'github', secret, secrets: [secret] } }, /goes without `secrets`/],
  [{ into, verify: { scheme: 'github', secrets: [] } }, /at least one secret/],
  [{ into, verify: { scheme: 'github', secrets: Array.from({ length: 6 }, (_, i) => secret + i) } }, /at most 5/],
  [{ into, verify: { scheme: 'standard', secret: 'whsec_not base64 at all' } }, /^verify\.secret: must be whsec_/],
  [{ into, verify: { scheme: 'github', secret, tolerance_s: 3 } }, /tolerance_s: goes with a signed time/],
  [{ into, verify: { scheme: 'stripe', secret, tolerance_s: 0 } }, /tolerance_s: must be a whole number from 1/],
  [{ into, verify: { scheme: 'stripe', secret, header: 'X' } }, /header: goes with the scheme hmac/],
  [{ into, verify: { scheme: 'hmac', secret } }, /^verify\.header: is missing/],
  [{ into, verify: { ...hmac, header: 'a b' } }, /must be the name of a header/],
  [{ into, verify: { ...hmac, algorithm: 'md5' } }, /algorithm: must be one of sha256/],
  [{ into, verify: { ...hmac, signed: 'x' } }, /signed: must have \{body\}, once/],
  [{ into, verify: { ...hmac, signed: '{body}{id}' } }, /has \{id\}/],
  [{ into, verify: { ...hmac, signed: '{timestamp}{body}' } }, /`timestamp` names no header/],
  [{ into, verify: { ...hmac, timestamp: 'X-T', signed: '{body}' } }, /a time that is not signed/],
  [{ into, verify: { ...hmac, timestamp: 'x-s' } }, /is the header of the signature/],
  [{ into, verify: { ...hmac, hedaer: 'x' } }, /^verify\.hedaer: is unknown.*header/],
  [{ into, verify: { scheme: 'github', secret }, maps: {} }, /^maps: is unknown.*map/],
  [{ into, verify: { scheme: 'github', secret }, map: {} }, /map: must have 1 to 1000/],
  [{ into, verify: { scheme: 'github', secret }, map: { _pk: 'a' } }, /map\._pk: is set by/],
  [{ into, verify: { scheme: 'github', secret }, map: { a: '' } }, /map\.a: has an empty step/],
  [{ into, verify: { scheme: 'github', secret }, map: { a: 'x..y' } }, /map\.a: has an empty step/],
  [{ into, verify: { scheme: 'github', secret }, map: { a: `${'a.'.repeat(40)}a` } }, /over 32 steps/],
  [{ into, verify: { scheme: 'github', secret }, id: 'header:X-GitHub-Delivery' }, /^id: .*not signed/],
  [{ into, verify: { scheme: 'github', secret }, id: { hash: 'x' } }, /^id: must be a path, or/],
  [{ into, verify: { scheme: 'github', secret }, time: 'header:Date' }, /^time: .*not signed/],
]

for (const [wire, problem] of bad)
  test(`refused: ${problem.source}: ${JSON.stringify(wire).slice(0, 120)}`, (t) => {
    const error = t.throws(() => decodeHook(wire), { instanceOf: Refusal })
    t.true(
      error?.problems.some((each) => problem.test(each)),
      error?.message,
    )
    t.false(error?.message.includes(secret))
  })
