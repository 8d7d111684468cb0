import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { name } from '../../base/decode/values.ts'
import { createWireObject, type Heard, isObject, unheard, type WireObject } from '../../base/decode/wire-object.ts'
import { quoted } from '../../base/quoted.ts'
import { Refusal } from '../../base/refusal.ts'
import { checkComputedInputs } from './check/computed-inputs.ts'
import { checkTargets } from './check/entity-targets.ts'
import { checkMirrors } from './check/mirrors.ts'
import { checkSchemaName } from './check/name.ts'
import { checkTopTables } from './check/table-name.ts'
import type { Draft } from './decode/draft.ts'
import { decodeEntities, readEntities } from './decode/entities.ts'
import { readFilters } from './decode/filter.ts'
import { decodeFilters } from './decode/filters.ts'
import { decodeGroupBys, readGroupBys } from './decode/group-bys.ts'
import { decodeNodes } from './decode/nodes.ts'
import { decodeReferences, readReferences } from './decode/references.ts'
import { decodeRelations } from './decode/relations.ts'
import { decodeRules, readRules } from './decode/rules.ts'
import { checkSessionRow } from './decode/session.ts'
import { type Sent, spreadAttributes } from './decode/spread.ts'
import { decodeStream, indexStreams, passedOver, refuseVariables, streamOnWire } from './decode/stream.ts'
import { findStream } from './find-stream.ts'
import { markMade } from './mark-made.ts'
import type { Attribute, Schema, Stream } from './schema.ts'
import { streamList } from './values.ts'

/** Interface 2.4. */
export const schemaOnWire = z
  .object({ schema: name(checkSchemaName), streams: z.array(streamOnWire).min(1).max(10_000) })
  .meta({ id: 'Schema' })

/** Nothing is posted to an entity stream, so it has no running statistics. */
const attributesOf = ({ kind, attributes }: Draft): readonly Attribute[] =>
  [...attributes.values()].flatMap((attribute) => {
    if (attribute === undefined || kind !== 'entity') return attribute ?? []
    const { statistics: _, ...plain } = attribute
    return plain
  })

/** A rule's name is unique in its stream. */
const checkRuleNames = (rules: readonly (readonly [name: string | undefined, object: WireObject])[]) => {
  const seen = new Map<string, string>()
  for (const [name, object] of rules) {
    if (name === undefined) continue
    const there = seen.get(name)
    if (there === undefined) seen.set(name, object.path)
    else object.fail('name', `${quoted(name)} is the name of ${there} already; each rule of a stream has its own`)
  }
}

/**
 * A schema from the body of a request: plain JSON, in which integers may be bigints. Throws a `Refusal` that lists all
 * that is wrong, each with its path. Members that are unknown are noted, since published clients send more.
 */
export const decodeSchema = (body: unknown, notes: Heard = unheard): Schema => {
  if (!isObject(body)) throw new Refusal('a schema is a JSON object with schema, its name, and streams')
  const problems = createProblems()
  const object = createWireObject(body, '', problems, notes)
  object.only({ ...schemaOnWire.shape, notifs: true, ...passedOver })
  refuseVariables(object)
  const schema = object.take('schema', schemaOnWire.shape.schema) ?? ''
  const drafts = object.take('streams', streamList) ? object.objects('streams', 10_000).map(decodeStream) : []

  const byName = indexStreams(drafts)
  for (const draft of drafts) {
    for (const [index, input] of draft.inputs.entries()) findStream(byName, input, draft.object, `inpt[${index}]`)
  }
  const sent = new Map(
    drafts.map((draft): [Draft, Sent] => [
      draft,
      {
        references: readReferences(draft, byName, schema),
        filters: readFilters(draft, byName),
        rules: readRules(draft, byName),
        groupBys: readGroupBys(draft, byName),
        entities: readEntities(draft, byName),
      },
    ]),
  )
  const figures = spreadAttributes(byName, sent)
  checkMirrors([...sent.values()].flatMap(({ rules }) => rules))
  const entities = new Map([...sent].map(([draft, said]) => [draft, decodeEntities(said.entities, draft, byName)]))
  checkTargets(
    byName,
    [...entities.values()].flatMap((ofStream) => [...ofStream]),
  )

  const decoded = [...sent].map(([draft, said]): readonly [Draft, Stream] => {
    checkComputedInputs(draft)
    for (const { session } of [...said.groupBys, ...said.entities]) if (session) checkSessionRow(session)
    const references = decodeReferences(said.references, draft, figures)
    const { filters, notices, moving } = decodeFilters(said.filters, byName)
    const rules = decodeRules(said.rules, byName)
    checkRuleNames([
      ...[...said.references, ...said.rules].map(({ name, object }) => [name, object] as const),
      ...moving.map(([{ name }, object]) => [name, object] as const),
    ])
    const stream: Stream = {
      name: draft.name,
      kind: draft.kind ?? 'input',
      window: draft.window,
      ...(draft.strict && { strict: draft.strict }),
      inputs: draft.inputs,
      attributes: attributesOf(draft),
      computed: [...draft.computed.values()],
      groupBys: decodeGroupBys(said.groupBys, draft, schema),
      entities: entities.get(draft)?.flatMap(({ entity }) => entity ?? []) ?? [],
      relations: draft.kind === 'entity' ? [] : decodeRelations(draft, schema),
      nodes: draft.kind === 'entity' ? [] : decodeNodes(draft, schema),
      filters,
      notices,
      movingFilters: moving.map(([filter]) => filter),
      references,
      rules,
    }
    checkTopTables(draft.object, schema, stream)
    return [draft, stream]
  })
  // A later stream may have named the _id of an earlier one.
  const streams = decoded.map(([draft, stream]) =>
    draft.attributes.has('_id') ? { ...stream, attributes: attributesOf(draft) } : stream,
  )
  problems.refuse()
  return { name: schema, streams: markMade(streams) }
}
