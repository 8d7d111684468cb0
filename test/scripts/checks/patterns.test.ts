import test from 'ava'
import { faultOf, isAnew, patternsIn } from '../../../scripts/checks/patterns.js'

for (const [name, source, flags] of [
  ['nested repetitions', '^(?:a+)+$', ''],
  ['comments before a word', '^(?:\\s|--[^\\n]*(?:\\n|$)|\\/\\*[\\s\\S]*?\\*\\/)*KILL\\b', 'i'],
  ['adjacent repetitions', '^\\d+\\.?\\d*$', ''],
  ['a repetition that begins a pattern which is searched for', '\\s*OUTFILE', ''],
  ['blanks before the end', '\\s+$', ''],
  ['separators that a name may begin with', '[\\s,;]*([^\\s:"]+):', 'y'],
  ['a dot in several places', '^a.*b.*c$', 's'],
] as const)
  test(`a slow pattern is found: ${name}`, async (t) => {
    t.regex((await faultOf(source, flags)) ?? '', /^takes .* time, for example over /)
  })

for (const [name, source, flags] of [
  ['blanks before the end, from their begin on', '(?<!\\s)\\s+$', ''],
  ['a text in quotes', "'(?:[^'\\\\]|\\\\[\\s\\S]|'')*'", 'y'],
  ['a number', '^\\d+(?:\\.\\d*)?$', 'v'],
] as const)
  test(`a pattern of linear time passes: ${name}`, async (t) => {
    t.is(await faultOf(source, flags), undefined)
  })

test('patterns are found as literals, and as texts that are put together', async (t) => {
  const text = [
    "const digits = '\\\\d+'",
    'const a = /x*$/g',
    "const b = new RegExp(`^@{digits}-@{name}$`, 'i')",
    'const c = new RegExp(String.raw`\\d@{digits}`)',
    "const d = RegExp('a' + digits)",
    'const e = new RegExp(made())',
  ]
    .join('\n')
    .replaceAll('@', '$')
  t.deepEqual(patternsIn('f.ts', text), [
    { place: 'f.ts:2', source: 'x*$', flags: 'g' },
    { place: 'f.ts:3', source: '^\\d+-name$', flags: 'i' },
    { place: 'f.ts:4', source: '\\d\\d+', flags: '' },
    { place: 'f.ts:5', source: 'a\\d+', flags: '' },
    { place: 'f.ts:6', source: undefined, flags: '' },
  ])
  t.regex((await faultOf(undefined, '')) ?? '', /cannot be put together/)
})

test('ten runs of CI in a row decide each pattern anew, once', (t) => {
  for (const hash of ['0000000000000000', '3b1fa66c8d0e4f21', 'ffffffffffffffff'])
    t.is(Array.from({ length: 10 }, (_, i) => isAnew(hash, 1_396_120_427 + i)).filter(Boolean).length, 1, hash)
})
