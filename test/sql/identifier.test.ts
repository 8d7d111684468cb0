import test from 'ava'
import fc from 'fast-check'
import { identifier, qualified } from '../../sql/identifier.ts'
import '../support/random/seed.ts'

test('names are put in backticks', (t) => {
  t.is(identifier('a'), '`a`')
  t.is(identifier('_pk'), '`_pk`')
  t.is(identifier('Select'), '`Select`')
  t.is(identifier('prod.name'), '`prod.name`')
  t.is(identifier('items.0.name'), '`items.0.name`')
  t.is(qualified('air', 'flights__60'), '`air`.`flights__60`')
})

const hostile = [
  '',
  ' ',
  'a b',
  'a`b',
  '`a`',
  'a"b',
  "a'b",
  'a;b',
  'a--b',
  'a/*b*/',
  'a\\b',
  'a\nb',
  'a\n',
  '\na',
  'a\0',
  '1a',
  '.a',
  'a.',
  'a..b',
  'a.b c',
  'a.`b`',
  '$a',
  'a$',
  '{a:String}',
  'a)',
  'ä',
  'а',
  'a\u200b',
  '🎈',
  'a'.repeat(601),
]

for (const name of hostile) {
  test(`refused, never escaped: ${JSON.stringify(name.slice(0, 40))}`, (t) => {
    t.throws(() => identifier(name), { message: /is no identifier$/ })
    t.throws(() => qualified(name, 'a'))
    t.throws(() => qualified('a', name))
  })
}

test('whatever passes is made of letters, digits, underscores and dots alone', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[\w.`' ]{1,12}$/)), (name) => {
      try {
        return /^`[A-Za-z0-9_.]+`$/.test(identifier(name))
      } catch {
        return true
      }
    }),
    { numRuns: 5_000 },
  )
  t.pass()
})
