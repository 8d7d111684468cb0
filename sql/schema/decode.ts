import { z } from 'zod'
import { Refusal } from '../../base/refusal.ts'
import { checkTargets } from './check/entity-targets.ts'
import { checkSchemaName } from './check/name.ts'
import { type Heard, unheard } from './check/notes.ts'
import { createProblems } from './check/problems.ts'
import type { Draft } from './decode/draft.ts'
import { decodeEntities } from './decode/entities.ts'
import { decodeFilters } from './decode/filters.ts'
import { decodeGroupBys } from './decode/group-bys.ts'
import { createPart, isObject } from './decode/part.ts'
import { decodeRelations } from './decode/relations.ts'
import { decodeStream, indexStreams, passedOver, streamOnWire } from './decode/stream.ts'
import { findStream } from './find-stream.ts'
import type { Attribute, Schema, Stream } from './schema.ts'
import { name, streamList } from './values.ts'

/** Interface 2.4. */
export const schemaOnWire = z
  .object({ schema: name(checkSchemaName), streams: z.array(streamOnWire).min(1).max(10_000) })
  .meta({ id: 'Schema' })

/** Nothing is posted to an entity stream, so it has no running statistics. */
const attributesOf = ({ kind, attributes }: Draft): readonly Attribute[] =>
  [...attributes.values()].flatMap((attribute) => {
    if (attribute === undefined || kind !== 'entity') return attribute ?? []
    const { statistic: _, ...plain } = attribute
    return plain
  })

/**
 * A schema from the body of a request: plain JSON, in which integers may be bigints. Throws a `Refusal` that lists all
 * that is wrong, each with its path. Members that are unknown are noted, since published clients send more.
 */
export const decodeSchema = (body: unknown, notes: Heard = unheard): Schema => {
  if (!isObject(body)) throw new Refusal('a schema is a JSON object with schema, its name, and streams')
  const problems = createProblems()
  const part = createPart(body, '', problems, notes)
  part.only({ ...schemaOnWire.shape, notifs: true, ...passedOver(part) })
  const schema = part.take('schema', schemaOnWire.shape.schema) ?? ''
  const drafts = part.take('streams', streamList) ? part.parts('streams', 10_000).map(decodeStream) : []

  const byName = indexStreams(drafts)
  const filters = decodeFilters(byName)
  for (const draft of drafts) {
    for (const [index, input] of draft.inputs.entries()) findStream(byName, input, draft.part, `inpt[${index}]`)
  }
  const entities = new Map(drafts.map((draft) => [draft, decodeEntities(draft, byName)]))
  checkTargets(
    byName,
    [...entities.values()].flatMap((ofStream) => [...ofStream]),
  )

  const streams = drafts.map(
    (draft): Stream => ({
      name: draft.name,
      kind: draft.kind ?? 'input',
      window: draft.window,
      ...(draft.strict && { strict: draft.strict }),
      inputs: draft.inputs,
      attributes: attributesOf(draft),
      computed: draft.computed,
      groupBys: draft.kind === 'entity' ? [] : decodeGroupBys(draft, schema),
      entities: entities.get(draft)?.flatMap(({ entity }) => entity ?? []) ?? [],
      relations: draft.kind === 'entity' ? [] : decodeRelations(draft, schema),
      nodes: [],
      filters: filters.get(draft.name)?.filters ?? [],
      notices: filters.get(draft.name)?.notices ?? [],
      movingFilters: [],
      references: [],
      rules: [],
    }),
  )
  problems.refuse()
  return { name: schema, streams }
}
