import { whole } from '../../api/streams/crash-schema.ts'
import type { WireSchema, WireStream } from '../../api/streams/oracle.ts'

/** The parts that an edit takes away from the whole schema, or gives back. */
export const removable = ['statistic', 'group', 'entity', 'filter'] as const
export type Removed = ReadonlySet<(typeof removable)[number]>

/** Events that get their `_pk` from the service; over Kafka those of one `n` go to one partition, and a batch to several. */
const plain: WireStream = {
  name: 't',
  type: 1,
  swsz: 0,
  attr: [
    { name: 'id', type: 9 },
    { name: 'n', type: 9, pk: 1, stat: 'RSTAT' },
  ],
  gpby: [{ gpat: ['n'], iatr: 'id', stat: 'COUNT' }],
}

/** The schema of a generation without the removed parts; the filters that notify are not in it. */
export function schemaWithout(name: string, removed: Removed): WireSchema {
  const { streams } = whole(name)
  const [input, large, ...entities] = streams
  if (!input || !large) throw new Error('the schema has two streams')
  const { gpby = [], enty = [], fltr = [], ...rest } = input
  const left: WireStream = {
    ...rest,
    attr: removed.has('statistic')
      ? input.attr.map((one) => (one.name === 'm' ? { name: 'm', type: 9 } : one))
      : input.attr,
    gpby: removed.has('group') ? gpby.slice(1) : gpby,
    enty: removed.has('entity') ? enty.filter(({ rstm }) => rstm !== 'places') : enty,
    fltr: removed.has('filter') ? [] : fltr,
  }
  const targets = entities.filter(({ name: target }) => target !== 'places' || !removed.has('entity'))
  return { schema: name, streams: [left, ...(removed.has('filter') ? [] : [large]), ...targets, plain] }
}

/** The parts that a schema, as the service shows it, lacks. */
export function removedOf(shown: WireSchema): Removed {
  const has = (stream: string): boolean => shown.streams.some(({ name }) => name === stream)
  const input = shown.streams.find(({ name }) => name === 's')
  const isCounted = input?.attr.some(({ name, stat }) => name === 'm' && stat !== undefined && stat !== 'NONE')
  const there = {
    statistic: isCounted ?? false,
    group: (input?.gpby ?? []).some(({ gpat }) => gpat.join() === 'where'),
    entity: has('places'),
    filter: has('large'),
  }
  return new Set(removable.filter((part) => !there[part]))
}

/** Numbers above this one notify. */
export const notable = 90

/** As it is sent: with filters that notify, each match (template `each`) and what gathers in a second (`gathered`). */
export function sentSchema(schema: WireSchema, each: number, gathered: number): object {
  const query = { query: [{ key: 'n', cmp_op: 0, val: notable }], qtype: 1 }
  const filter = (notf: number) => ({ name: `notify${notf}`, fqry: { name: JSON.stringify(query), type: 1 }, notf })
  const streams = schema.streams.map((stream) =>
    stream.name === 's' ? { ...stream, fltr: [...(stream.fltr ?? []), filter(each), filter(gathered)] } : stream,
  )
  return { ...schema, streams }
}
