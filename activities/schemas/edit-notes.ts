import { isObject, type Json } from '../../base/json.ts'
import type { Notes } from '../../sql/schema/check/notes.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'

/** A schema as it is registered, and as its client wrote it. */
export type WrittenSchema = { readonly schema: Schema; readonly wire: Json }

/** Notes streams whose events go after a day because nothing says how long they stay: of an edit those that it brings. */
export function noteRetention(notes: Pick<Notes, 'add'>, { schema, wire }: WrittenSchema, before?: Json): void {
  const silentBefore = new Set(streamsIn(before).filter(hasNoRetention).map(nameOf))
  for (const [index, each] of streamsIn(wire).entries()) {
    const stream = schema.streams[index]
    if (stream === undefined || stream.kind === 'entity') continue
    if (!hasNoRetention(each) || silentBefore.has(stream.name)) continue
    const kept = `stream ${stream.name} keeps events for ${stream.window} s; swsz 0 keeps them for ever`
    notes.add(`streams[${index}]`, `has no swsz: ${kept}`)
  }
}

const streamsIn = (wire: Json | undefined): readonly Json[] => {
  const streams = isObject(wire) ? wire.streams : undefined
  return Array.isArray(streams) ? streams : []
}

const hasNoRetention = (stream: Json): boolean => isObject(stream) && (stream.swsz ?? null) === null
const nameOf = (stream: Json) => (isObject(stream) ? stream.name : undefined)

/** Notes the attributes that an edit drops. */
export function noteDropped(notes: Pick<Notes, 'add'>, from: Schema, to: Schema): void {
  for (const before of from.streams) {
    const after = to.streams.find(({ name }) => name === before.name)
    if (after === undefined || before.kind === 'entity') continue
    const declared = new Set(after.attributes.map(({ name }) => name))
    for (const { name } of before.attributes) {
      if (declared.has(name)) continue
      const values = 'is no longer declared: its values come back with their events as undeclared members'
      notes.add(
        `attribute ${before.name}.${name}`,
        hasStatistics(before, name) ? `${values}; its statistics go` : values,
      )
    }
  }
}

const hasStatistics = ({ attributes, groupBys, entities }: Stream, name: string): boolean =>
  attributes.some((attribute) => attribute.name === name && attribute.statistics !== undefined) ||
  groupBys.some(({ pattern, input }) => input === name || pattern.includes(name)) ||
  entities.some(({ inputs, keys }) => inputs.includes(name) || keys.some((key) => key.inputs.includes(name)))
