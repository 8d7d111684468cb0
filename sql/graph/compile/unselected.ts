/** Rows without named columns: whole nodes, and the relations of each walk. */

import type { QueryContext } from './context.ts'
import { needsAll, needsOf } from './needs.ts'
import { jsonObject, type Key, namedKey, rowsFrom, type Source, selectedKey, wholeObject } from './source.ts'
import { compileUnique } from './unique.ts'
import type { Cell } from './values/cell.ts'
import { compileLone } from './walk/lone.ts'
import { sideOf } from './walk/plan.ts'
import { type RelationColumns, stored } from './walk/relations.ts'
import { compileWalk } from './walk/walk.ts'

type Triple = Pick<RelationColumns, 'ends' | 'relation'>

const member = (name: string, value: string): string => `concat('"${name}":', ${value})`
const textMember = (name: string, value: string): string => member(name, `toJSONString(${value})`)

/** The members of a map of JSON values, but those that are called like a member beside them. */
const mapMembers = (map: string, reserved: readonly string[]): string => {
  const names = reserved.map((name) => `'${name}'`).join(', ')
  return `arrayMap((k, v) -> if(k IN (${names}) OR v = '', '', concat(toJSONString(k), ':', v)), mapKeys(${map}), mapValues(${map}))`
}

const nameOfNode = (label: string, name: string): string => `concat(${label}, ':', ${name})`

/** A single node: as a row it also has `_pk` and `_v`. */
export function compileNodes(context: QueryContext, isRow: boolean): Source {
  const walk = compileWalk(context, needsAll(context))
  const { label, name } = walk.node(0)
  const fixed = new Map<string, Cell>([
    ['label', { kind: 'text', sql: 'l' }],
    ['name', { kind: 'text', sql: 'n' }],
    ...(isRow
      ? ([
          ['_pk', { kind: 'text', sql: nameOfNode('l', 'n') }],
          ['_v', { kind: 'count', sql: 'toUInt64(1)' }],
        ] as const)
      : []),
  ])
  const fixedMembers = [...fixed].map(([key, cell]) =>
    cell.kind === 'count' ? member(key, `toString(${cell.sql})`) : textMember(key, cell.sql),
  )
  const properties = mapMembers('m', [...fixed.keys()])
  const members = isRow
    ? `arrayConcat(${properties}, [${fixedMembers.join(', ')}])`
    : `arrayConcat([${fixedMembers.join(', ')}], ${properties})`
  return {
    from: rowsFrom(
      walk.select(`${label.sql} AS l, ${name.sql} AS n, ${walk.nodeMap(0)} AS m, ${selectedKey(walk.key)}`),
    ),
    row: jsonObject(members),
    key: namedKey(walk.key),
    cell: (column) => fixed.get(column) ?? { kind: 'json', sql: `m[${context.params.add(column, 'String')}]` },
  }
}

/** A row for each relation of each walk, with all properties or without any. */
export function compileTriples(context: QueryContext, isWhole: boolean): Source {
  const { query, params } = context
  const lone = isWhole ? undefined : compileLone(context, needsOf(context))
  if (lone) {
    const { from, conditions, key, settings } = lone
    return { from, conditions, key, settings, ...plainTriple(stored) }
  }
  const walk = compileWalk(context, isWhole ? needsAll(context) : needsOf(context))
  const tuples = query.pattern.links.map((link, index) => {
    const [subjectAt, objectAt] =
      sideOf({ link }, link.from) === 'subject' ? [link.from, link.to] : [link.to, link.from]
    const [subject, object] = [walk.node(subjectAt), walk.node(objectAt)]
    const maps = `mapUpdate(mapUpdate(${walk.nodeMap(subjectAt)}, ${walk.linkMap(index)}), ${walk.nodeMap(objectAt)})`
    return `(${[
      `'${String(index).padStart(2, '0')}'`,
      subject.label.sql,
      subject.name.sql,
      walk.relation(index).sql,
      object.label.sql,
      object.name.sql,
      ...(isWhole ? [maps] : []),
    ].join(', ')})`
  })
  // A single relation is no array: ClickHouse would not look into the projection for columns of which it makes rows.
  const [only, ...others] = tuples
  const isOne = others.length === 0
  const walks = walk.select(
    `${isOne ? `${only} AS t` : `[${tuples.join(', ')}] AS ts`}, ${selectedKey(walk.key)}`,
    compileUnique(context, walk),
  )
  const ofRelations: Key = [...namedKey(walk.key), { sql: 't.1', type: 'String' }]
  const source = {
    from: rowsFrom(isOne ? walks : `SELECT t, ${selectedKey(ofRelations)} FROM (${walks}) ARRAY JOIN ts AS t`),
    key: namedKey(isOne ? walk.key : ofRelations),
  }
  return isWhole ? { ...source, ...wholeTriple(params) } : { ...source, ...plainTriple(inTuple) }
}

/** Where a triple's parts are among those of `t`. */
const inTuple: Triple = {
  ends: { subject: { label: 't.2', name: 't.3' }, object: { label: 't.5', name: 't.6' } },
  relation: 't.4',
}

const plainTriple = ({ ends: { subject, object }, relation }: Triple): Pick<Source, 'row' | 'cell'> => ({
  row: wholeObject([
    textMember('sub', nameOfNode(subject.label, subject.name)),
    textMember('pred', relation),
    textMember('obj', nameOfNode(object.label, object.name)),
  ]),
  cell: () => ({ kind: 'json', sql: "''" }),
})

function wholeTriple(params: QueryContext['params']): Pick<Source, 'row' | 'cell'> {
  const fixed = new Map([
    ['sub_label', 't.2'],
    ['sub', 't.3'],
    ['rel', 't.4'],
    ['obj_label', 't.5'],
    ['obj', 't.6'],
  ])
  const members = [...fixed].map(([name, column]) => textMember(name, column))
  return {
    row: jsonObject(`arrayConcat(${mapMembers('t.7', [...fixed.keys()])}, [${members.join(', ')}])`),
    cell: (column) => {
      const text = fixed.get(column)
      if (text !== undefined) return { kind: 'text', sql: text }
      return { kind: 'json', sql: `t.7[${params.add(column, 'String')}]` }
    },
  }
}
