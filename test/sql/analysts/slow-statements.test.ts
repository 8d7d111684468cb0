/** Statements of some hundred kilobytes that would take minutes, if a piece of them were read again for each other piece. */
import test from 'ava'
import { readKill } from '../../../sql/analysts/kill.ts'
import { admit } from '../../../sql/analysts/statement.ts'
import { checkTree } from '../../../sql/analysts/tree.ts'
import { staysQuick } from '../../support/stays-quick.ts'

const known = new Set(['abs'])
const asked = (text: string) => ({ text, format: 'TSV', params: {}, settings: {} })
const begin = (text: string) => () => readKill(asked(text))
const fence = (text: string) => () => admit(asked(text), undefined, known)

const statements: Readonly<Record<string, (pieces: number) => () => unknown>> = {
  'comments before a statement': (n) => begin(`${'/**/'.repeat(n)}SELECT 1`),
  'comments that are not closed': (n) => begin(`${'/* '.repeat(n)}SELECT 1`),
  'comments of a line': (n) => begin(`${'-- \n'.repeat(n)}SELECT 1`),
  'comments between blanks': (n) => fence(`${' /**/ -- \n'.repeat(n)}SELECT 1`),
  'arrows in a row': (n) => fence(`SELECT ${'a->'.repeat(n)}1`),
  'arrows in parentheses that are not closed': (n) => fence(`SELECT ${'a->('.repeat(n)}1`),
  'maps among settings': (n) => fence(`SELECT 1 SETTINGS ${'a={},'.repeat(n)}b=1`),
  'maps that are not closed': (n) => fence(`SELECT 1 SETTINGS ${'a={,'.repeat(n)}b=1`),
  'a name of many combinators': (n) => fence(`SELECT x${'If'.repeat(n)}(1)`),
  'a name of many parts': (n) => fence(`SELECT a${'.a'.repeat(n)}`),
  'quotes that are not closed': (n) => fence(`SELECT '${"''".repeat(n)}`),
  'backslashes in quotes that are not closed': (n) => fence(`SELECT '${'\\'.repeat(n)}`),
  'marks of a text': (n) => fence(`SELECT $${'a$'.repeat(n)}`),
  'a long number': (n) => fence(`SELECT ${'1_'.repeat(n)}e`),
  parentheses: (n) => fence(`SELECT ${'('.repeat(n)}`),
  'columns behind a name': (n) => fence(`SELECT 1 FROM (SELECT 1) AS t (${'a,'.repeat(n)}`),
  'nodes whose alias begins again and again': (n) => () =>
    checkTree(`SelectWithUnionQuery${' (alias '.repeat(n)}`, undefined),
}

for (const [name, of] of Object.entries(statements)) {
  test(`a statement is read in time: ${name}`, (t) => staysQuick(t, name, (pieces) => of(pieces)(), 128 * 1024))
}

test('a statement has at most 50,000 parts', (t) => {
  t.notThrows(fence(`SELECT ${'1,'.repeat(24_998)}1`))
  t.throws(fence(`SELECT ${'1,'.repeat(25_000)}1`), { message: /the statement has more than 50,000 parts/ })
})

test('an alias is that of the arrow before it, between the same parentheses', (t) => {
  const text = (statement: string) => admit(asked(statement), undefined, known).text
  for (const fine of [
    'WITH x -> x + 1 AS f SELECT f(2)',
    'WITH x -> (y -> y) AS f, 2 AS g SELECT f(2)',
    'WITH a -> b -> a AS f SELECT f(1)',
    'WITH x -> plus(x, 1) AS f SELECT f(1)',
  ])
    t.is(text(fine), fine)
  for (const bad of [
    'WITH x -> 1, 2 AS f SELECT f(2)',
    'WITH x -> (1 AS f) SELECT f(2)',
    'WITH (x -> 1) AS f SELECT f(1)',
  ])
    t.throws(() => text(bad), { message: /Unknown function f/ }, bad)
})
