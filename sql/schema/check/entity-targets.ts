import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { type Draft, type Drafts, findAttribute } from '../decode/draft.ts'
import type { SentEntity } from '../decode/entities.ts'
import { readableColumns } from '../readable-columns.ts'
import type { Entity } from '../schema.ts'
import { windowColumn } from '../windows.ts'

type Written = { readonly object: WireObject; readonly entity: Entity }

const described = ({ keys }: Entity) => keys.map(({ name, type }) => `${name} ${type}`).join(', ')

/** All that write to one target make one row a key: the same keys, and each result from one of them. */
const checkTogether = (entities: readonly Written[]) => {
  const [first] = entities
  const writers = new Map<string, string>()
  for (const { object, entity } of entities) {
    if (first && described(entity) !== described(first.entity)) {
      object.fail(
        'pkatr',
        `keys ${described(entity)}; ${first.object.path} writes to the same stream with ${described(first.entity)}`,
      )
    }
    for (const [index, result] of entity.results.entries()) {
      const writer = writers.get(result)
      if (writer !== undefined) object.fail(`ratr[${index}]`, `${quoted(result)} is written by ${writer} already`)
      else writers.set(result, `${object.path}.ratr[${index}]`)
    }
  }
}

/** The target has its keys as primary keys; results only where it lists no attributes by itself. */
const complete = ({ attributes }: Draft, entities: readonly Written[]) => {
  const isListed = attributes.size > 0
  for (const { name, type } of entities[0]?.entity.keys ?? []) {
    attributes.set(name, { name, type, granularity: 60, primaryKey: true })
  }
  if (isListed) return
  for (const { results, statistics } of entities.map(({ entity }) => entity)) {
    const type = statistics.kinds.every((kind) => kind === 'COUNT' || kind === 'UCOUNT') ? 'LONG' : 'DOUBLE'
    for (const name of results) attributes.set(name, { name, type, granularity: 60, primaryKey: false })
  }
}

/** Entities of all streams against their targets, which take their keys and results over from them. */
export const checkTargets = (drafts: Drafts, sent: readonly SentEntity[]) => {
  const byTarget = new Map<string, SentEntity[]>([...drafts.keys()].map((name) => [name, []]))
  for (const each of sent) byTarget.get(each.target ?? '')?.push(each)

  for (const [name, target] of drafts) {
    if (target.kind !== 'entity') continue
    const aimed = byTarget.get(name) ?? []
    const entities = aimed.flatMap(({ object, entity }): Written[] => (entity ? [{ object, entity }] : []))
    checkTogether(entities)
    for (const { object, entity } of entities) {
      checkClash(object, entity)
      checkListed(target, object, entity)
    }
    complete(target, entities)
    const isKeyed = [...target.attributes.values()].some((attribute) => attribute?.primaryKey !== false)
    if (!isKeyed && aimed.length === 0) {
      target.object.fail(
        'attr',
        'an entity stream needs an attribute with pk 1, or an entity that gives its keys in pkatr',
      )
    }
  }
}

/** A result takes columns of its own beside the keys. */
const checkClash = (object: WireObject, { keys, results, statistics, windows = [] }: Entity) => {
  const names = new Set(keys.map(({ name }) => name))
  for (const [index, result] of results.entries()) {
    const columns = [result, ...windows.map((length) => windowColumn(result, length))]
    const clash = [result, ...columns.flatMap((name) => readableColumns(name, statistics))].find((column) =>
      names.has(column),
    )
    if (clash !== undefined) object.fail(`ratr[${index}]`, `${quoted(result)} clashes with the key ${quoted(clash)}`)
  }
}

/** Where the target lists attributes, keys and results are among them, and its primary keys are the keys. */
const checkListed = (target: Draft, object: WireObject, { keys, results }: Entity) => {
  if (target.attributes.size === 0) return
  for (const [index, result] of results.entries()) findAttribute(target, result, object, `ratr[${index}]`)
  for (const { name, type } of keys) {
    const listed = findAttribute(target, name, object, 'pkatr')
    if (listed && listed.type !== type) {
      object.fail('pkatr', `key ${quoted(name)} is ${type} here and ${listed.type} in ${target.name}`)
    }
  }
  const given = new Set(keys.map(({ name }) => name))
  for (const [name, attribute] of target.attributes) {
    if (attribute?.primaryKey && !given.has(name)) {
      object.fail('pkatr', `gives no ${quoted(name)}, a primary key of ${target.name}`)
    }
  }
}
