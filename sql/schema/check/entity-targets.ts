import { quoted } from '../../../base/quoted.ts'
import type { Draft, Drafts } from '../decode/draft.ts'
import type { SentEntity } from '../decode/entities.ts'
import type { Part } from '../decode/part.ts'
import type { Entity } from '../schema.ts'
import { checkClash, checkListed } from './entity.ts'

type Written = { readonly part: Part; readonly entity: Entity }

const described = ({ keys }: Entity) => keys.map(({ name, type }) => `${name} ${type}`).join(', ')

/** All that write to one target make one row a key: the same keys, and each result from one of them. */
const checkTogether = (entities: readonly Written[]) => {
  const [first] = entities
  const writers = new Map<string, string>()
  for (const { part, entity } of entities) {
    if (first && described(entity) !== described(first.entity)) {
      part.fail(
        'pkatr',
        `keys ${described(entity)}; ${first.part.path} writes to the same stream with ${described(first.entity)}`,
      )
    }
    for (const [index, result] of entity.results.entries()) {
      const writer = writers.get(result)
      if (writer !== undefined) part.fail(`ratr[${index}]`, `${quoted(result)} is written by ${writer} already`)
      else writers.set(result, `${part.path}.ratr[${index}]`)
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
  for (const { results, statistic } of entities.map(({ entity }) => entity)) {
    const type = statistic === 'RSTAT' ? 'DOUBLE' : 'LONG'
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
    const entities = aimed.flatMap(({ part, entity }): Written[] => (entity ? [{ part, entity }] : []))
    checkTogether(entities)
    for (const { part, entity } of entities) {
      checkClash(part, entity)
      checkListed(target, part, entity)
    }
    complete(target, entities)
    const isKeyed = [...target.attributes.values()].some((attribute) => attribute?.primaryKey !== false)
    if (!isKeyed && aimed.length === 0) {
      target.part.fail(
        'attr',
        'an entity stream needs an attribute with pk 1, or an entity that gives its keys in pkatr',
      )
    }
  }
}
