import { identifier, qualified } from '../../identifier.ts'
import type { Stream } from '../../schema/schema.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Comparison, Condition, Like } from '../ast.ts'
import { atPlace, createParams } from './condition.ts'
import { boundWords, type StreamSource, windowCondition } from './source.ts'

type Asked = Comparison | Like

/** Members of each row of a stream that rules make. */
const ofRows = ['_jpk1', '_j1']

const isOurs = ({ kind }: Stream, path: string): boolean =>
  ['_pk', '_v'].includes(path) ||
  (kind === 'join' && ofRows.includes(path.split('.')[0] ?? '')) ||
  boundWords.includes(path.toLowerCase())

/** The first comparisons with members that nothing declares or declared, one a path. */
export function undeclared(where: Condition, { stream, columns }: Omit<StreamSource, 'now_us'>, max: number): Asked[] {
  const declared = new Set(stream.attributes.map(({ name }) => name))
  const found = new Map<string, Asked>()
  const look = (condition: Condition): void => {
    if (found.size === max) return
    if ('terms' in condition) {
      for (const term of condition.terms) look(term)
      return
    }
    const { path } = condition
    if (!declared.has(path) && !columns.all.has(path) && !isOurs(stream, path) && !found.has(path))
      found.set(path, condition)
  }
  look(where)
  return [...found.values()]
}

/** Names of members that a message may show. */
const maxName = 64
const maxNames = 500

/**
 * One row about the latest `events` of a stream: `seen`, 1 or 0 for each of `asked`, and `names`, the members that nothing declares:
 * those of events, and those that stand beside a path of `asked`, as paths.
 */
export function compileSeen(source: StreamSource, asked: readonly Asked[], events: number): SqlStatement {
  const params = createParams()
  const has = asked.map((each) => {
    const place = { kind: 'json' as const, column: '_rest', path: each.path.split('.') }
    return `max(toUInt8(${atPlace(place, each, params, (reached) => `JSONHas(${reached})`)}))`
  })
  const { schema, stream } = source
  const latest = [
    `SELECT _rest FROM ${qualified(schema.name, stream.name)} WHERE ${windowCondition(source)}`,
    `ORDER BY ${identifier('_pk')} DESC, ${identifier('_seq')} DESC LIMIT ${events}`,
  ].join(' ')
  const parents = new Set(asked.map(({ path }) => path.slice(0, Math.max(path.lastIndexOf('.'), 0))))
  const names = [...parents.add('')].map((parent) => {
    const steps = parent === '' ? [] : parent.split('.')
    const place = ['_rest', ...steps.map((step) => params.add(step, 'String'))].join(', ')
    const keys = `arrayFilter(name -> length(name) <= ${maxName}, JSONExtractKeys(${place}))`
    return parent === '' ? keys : `arrayMap(name -> concat(${params.add(`${parent}.`, 'String')}, name), ${keys})`
  })
  const all = `groupUniqArrayArray(${maxNames})(arrayConcat(${names.join(', ')}))`
  return {
    text: `SELECT [${has.join(', ')}] AS seen, ${all} AS names FROM (${latest})`,
    params: params.params,
  }
}
