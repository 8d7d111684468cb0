import test from 'ava'
import fc from 'fast-check'
import { TokenCursor } from '../../../../activities/events/plain/token-cursor.ts'
import '../../../support/random/seed.ts'

type Kind = 'text' | 'long' | 'double' | 'bool'

/** The bytes of the token that `text` begins with, undefined where there is no plain one of that kind. */
function tokenOf(kind: Kind, text: string): { token: string; number: number } | undefined {
  const cursor = new TokenCursor()
  cursor.bytes = Buffer.from(text)
  cursor.end = cursor.bytes.length
  if (!cursor[kind]()) return undefined
  return { token: cursor.bytes.toString('utf8', 0, cursor.at), number: cursor.number }
}

const plain: Readonly<Record<Kind, readonly string[]>> = {
  text: ['""', '"a"', '"ü 🎈 \u2028 \u007f"', '"true"'],
  long: ['0', '7', '-7', '123456789012345', '8999999999999999', '-8999999999999999'],
  double: ['0', '7', '-7', '1.5', '-0.25', '0.000001', '0.1234567', '123456789012345', '12345678901234.5', '858.63'],
  bool: ['true', 'false'],
}

const other: Readonly<Record<Kind, readonly string[]>> = {
  text: ['"', '"a', '"a\\n"', '"\\u0041"', '"a\nb"', '"\u0001"', "'a'", 'a', '7', ''],
  long: ['', '-', '-0', '01', '-01', '9007199254740993', '9000000000000000', '12345678901234567', '+1', '"7"', 'true'],
  double: ['', '-', '-0', '-0.0', '00', '01.5', '.5', '1.', '1.50', '1.0', '0.0000001', '1234567890123456', '"1"'],
  bool: ['', 'True', 'tru', 'fals', 'null', '1'],
}

for (const kind of Object.keys(plain) as Kind[]) {
  test(`each plain ${kind} is read to its end`, (t) => {
    for (const text of plain[kind]) {
      for (const behind of ['', ',', '}', ' ']) t.is(tokenOf(kind, text + behind)?.token, text)
    }
  })
  test(`what is no plain ${kind} is left to the parser`, (t) => {
    for (const text of other[kind]) t.is(tokenOf(kind, text), undefined, text)
  })
}

test('what stands behind a number is no part of it: an exponent is found by whoever goes on', (t) => {
  t.is(tokenOf('long', '5.0')?.token, '5')
  t.is(tokenOf('long', '5e3')?.token, '5')
  t.is(tokenOf('double', '2.5e3')?.token, '2.5')
})

test('a number that is read as it stands has the value that JSON gives it, and JavaScript prints it so', (t) => {
  const decimals = fc
    .tuple(fc.boolean(), fc.nat(999_999_999), fc.option(fc.stringMatching(/^\d{1,9}$/), { nil: undefined }))
    .map(
      ([isNegative, whole, fraction]) =>
        `${isNegative ? '-' : ''}${whole}${fraction === undefined ? '' : `.${fraction}`}`,
    )
  let read = 0
  fc.assert(
    fc.property(fc.oneof(decimals, fc.double({ noNaN: true }).map(String)), (text) => {
      const found = tokenOf('double', `${text},`)
      if (found?.token !== text) return
      read++
      t.is(found.number, JSON.parse(text))
      t.is(String(found.number), text)
    }),
    { numRuns: 2_000 },
  )
  t.true(read > 300, `${read} of 2,000 were plain`)
})
