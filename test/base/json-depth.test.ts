import test from 'ava'
import { opensTooMuch } from '../../base/json.ts'

const filler = `"${'x'.repeat(1024 * 1024)}"`
const nested = (depth: number, inside = filler) => `${'[{"a":'.repeat(depth / 2)}${inside}${'}]'.repeat(depth / 2)}`
const inString = JSON.stringify(`${'['.repeat(200_000)}"\\`)

const cases: Readonly<Record<string, readonly [text: string, isTooMuch: boolean]>> = {
  'a hundred thousand levels': [nested(100_000), false],
  'two more': [nested(100_002), true],
  'brackets that never close': ['['.repeat(2_000_000), true],
  'a short text, however deep': ['['.repeat(1_000_000), false],
  'as many brackets beside each other': [`[${'[],{},'.repeat(200_000)}${filler}]`, false],
  'brackets in a string, behind escaped quotes and backslashes': [`[${`${inString},`.repeat(10)}1]`, false],
  'a string that does not end': [`["${'['.repeat(2_000_000)}\\"`, false],
  'brackets behind a string that ends in a backslash': [`["${'\\\\'.repeat(600_000)}",${'['.repeat(100_001)}`, true],
}

for (const [name, [text, isTooMuch]] of Object.entries(cases)) {
  test(`texts that would keep the parser busy for seconds are told before: ${name}`, (t) => {
    t.is(opensTooMuch(text), isTooMuch)
  })
}
