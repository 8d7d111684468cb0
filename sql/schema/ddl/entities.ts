import { identifier } from '../../identifier.ts'
import { escapedValue } from '../../query/compile/group-key.ts'
import { attributeOf, valueOf, valueType } from '../columns.ts'
import { entityTable } from '../names.ts'
import type { Attribute, Entity, Schema, Stream } from '../schema.ts'
import type { Measure } from '../statistics.ts'
import { type Aggregate, type AggregateKey, type AggregateSource, createReadableView } from './aggregate.ts'
import type { DerivedTable } from './derived.ts'
import { withTops } from './tops.ts'

/** An entity definition and the stream that it stands in. */
export const entityNames = ({ streams }: Schema): string[] =>
  streams.filter(({ kind }) => kind === 'entity').map(({ name }) => name)

export type FedEntity = { readonly stream: Stream; readonly entity: Entity }

/** All definitions that feed one entity stream. */
export const entitiesOf = (schema: Schema, target: string): FedEntity[] =>
  schema.streams.flatMap((stream) =>
    stream.entities.filter((entity) => entity.target === target).map((entity) => ({ stream, entity })),
  )

const measuresOf = ({ stream, entity }: FedEntity): Measure[] =>
  entity.results.flatMap((result, index) => {
    const input = attributeOf(stream, entity.inputs[index] ?? '')
    return input ? [{ result, input, statistics: entity.statistics }] : []
  })

/** The attributes that give a definition's keys. */
const inputsOf = ({ stream, entity }: FedEntity): Pick<Attribute, 'name' | 'type'>[] =>
  entity.keys.flatMap(({ inputs, type }) => inputs.map((name) => attributeOf(stream, name) ?? { name, type }))

/** Keys in the target's terms; each definition says which of its attributes give them. */
const keysOf = ({ stream, entity }: FedEntity): AggregateKey[] =>
  entity.keys.map(({ name, type, inputs }) => {
    const values = inputs.map(
      (input) => `assumeNotNull(${valueOf(attributeOf(stream, input) ?? { name: input, type })})`,
    )
    return {
      name,
      type: valueType(type),
      value: values.length === 1 ? (values[0] ?? '') : `concat(${values.map(escapedValue).join(", ':', ")})`,
    }
  })

/** Every measure of an entity stream, by its result's name. */
export const entityMeasures = (schema: Schema, target: string): Measure[] =>
  entitiesOf(schema, target).flatMap(measuresOf)

/** The lifetime aggregates of an entity stream: one row a key, fed by every definition with that target. */
export function entityTables(schema: Schema, target: Stream): DerivedTable[] {
  const fed = entitiesOf(schema, target.name)
  const [first] = fed
  if (!first) return []
  const aggregate: Aggregate = {
    database: schema.name,
    redelivered: schema.redelivered,
    table: entityTable(target.name),
    keys: keysOf(first),
    measures: fed.flatMap(measuresOf),
    manyKeys: true,
  }
  return withTops({
    aggregate,
    sources: sourcesOf(aggregate, fed),
    views: [
      createReadableView(aggregate, {
        name: target.name,
        comment: `Entity stream ${schema.name}.${target.name}: a row a key, with statistics over all its events`,
        keys: aggregate.keys.map(({ name, type }) => ({
          name,
          type,
          value: identifier(name),
          comment: 'Key of the entity',
        })),
        countedAlone: false,
      }),
    ],
  })
}

/** One feed a (stream, key attributes): definitions of one stream that share their keys are computed together. */
function sourcesOf(aggregate: Aggregate, fed: readonly FedEntity[]): AggregateSource[] {
  const together = new Map<string, FedEntity[]>()
  for (const each of fed) {
    const place = [each.stream.name, ...inputsOf(each).map(({ name }) => name)].join(':')
    together.set(place, [...(together.get(place) ?? []), each])
  }
  return [...together.values()].flatMap((all, number) => {
    const [first] = all
    if (!first) return []
    return [
      {
        stream: first.stream.name,
        aggregate,
        keys: keysOf(first),
        measures: all.flatMap(measuresOf),
        condition: inputsOf(first)
          .map((input) => `isNotNull(${valueOf(input)})`)
          .join(' AND '),
        number,
      },
    ]
  })
}
