/** A registered schema as its author wrote it: members have any form that the service takes. */
import { attributeTypes, statistics, streamKinds } from '../../api/codes.ts'
import type { StreamKind } from './stream-graph.ts'

export type WireAttribute = {
  readonly name: string
  readonly type: string
  readonly statistic: string | undefined
  readonly gran_s: number
  readonly says: string
}

export type WireStream = {
  readonly name: string
  readonly kind: StreamKind
  readonly swsz: number
  readonly attributes: readonly WireAttribute[]
  /** The stream as the schema's text has it. */
  readonly wire: Readonly<Record<string, unknown>>
}

type Wire = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list, or the one thing that stands where a list would. */
const listIn = (wire: Wire, member: string): readonly Wire[] => {
  const value = wire[member]
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

export function streamIn(schema: unknown, name: string): WireStream | undefined {
  const wire = isObject(schema) ? listIn(schema, 'streams').find((each) => each.name === name) : undefined
  if (!wire) return undefined
  return {
    name,
    kind: streamKinds[String(wire.type).toUpperCase()] ?? 'input',
    swsz: wire.swsz === undefined ? 86_400 : Number(wire.swsz),
    attributes: merged([
      ...listIn(wire, 'attr').map((each) => attributeOf(each, '')),
      ...listIn(wire, 'catr').map((each) => attributeOf(each, computedText(each))),
      ...listIn(wire, 'refr').flatMap(referredAttributes),
    ]),
    wire,
  }
}

/** A computed attribute may be declared among the others as well. */
function merged(attributes: readonly WireAttribute[]): readonly WireAttribute[] {
  const byName = new Map<string, WireAttribute>()
  for (const each of attributes) {
    const there = byName.get(each.name)
    byName.set(
      each.name,
      there
        ? {
            ...there,
            statistic: there.statistic ?? each.statistic,
            says: [there.says, each.says].filter(Boolean).join('; '),
          }
        : each,
    )
  }
  return [...byName.values()]
}

function attributeOf(wire: Wire, says: string): WireAttribute {
  const limits = [
    ...(wire.required === 1 ? ['required'] : []),
    ...(Array.isArray(wire.values) ? [`one of ${wire.values.map(String).join(', ')}`] : []),
    ...(wire.min === undefined ? [] : [`${String(wire.min)} or more`]),
    ...(wire.max === undefined ? [] : [`${String(wire.max)} or less`]),
    ...(wire.pk === 1 ? ['the key'] : []),
  ]
  return {
    name: String(wire.name),
    type: attributeTypes[String(wire.type).toUpperCase()] ?? String(wire.type ?? '').toUpperCase(),
    statistic: statisticsIn(wire.stat),
    gran_s: Number(wire.gran) > 0 ? Number(wire.gran) : 60,
    says: [says, ...limits].filter(Boolean).join('; '),
  }
}

/** All that is kept of an attribute, as it is read. */
const statisticsIn = (value: unknown): string | undefined =>
  [value]
    .flat()
    .flatMap((each) => statistics[String(each).toUpperCase()] ?? [])
    .join(', ') || undefined

/** A text stands for a list of one. */
const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String)

/** The attributes that a reference fills; each has the type of its source. */
function referredAttributes(wire: Wire): readonly WireAttribute[] {
  const sources = textsIn(wire.ratr)
  return textsIn(wire.iatr ?? []).map((name, place) =>
    attributeOf({ ...wire, name, type: '' }, `taken from ${sources[place] ?? name} of ${String(wire.rstm)}`),
  )
}

function computedText({ opnm, opid, iatr, model }: Wire): string {
  const inputs = Array.isArray(iatr) ? iatr.map(String).join(', ') : ''
  if (model !== undefined) return `predicted by ${String(model)} from ${inputs}`
  return `${String(opnm ?? opid ?? 'computed')} of ${inputs}`
}

/** An event of the form that a stream takes, to begin with. */
export function exampleEvent({ attributes, wire }: WireStream): string {
  const filled = listIn(wire, 'refr').flatMap(({ iatr }) => textsIn(iatr ?? []))
  const computed = new Set([...listIn(wire, 'catr').map(({ name }) => String(name)), ...filled])
  const members = attributes
    .filter(({ name }) => !computed.has(name) && !name.includes('.') && name !== '_pk')
    .map(({ name, type }) => [name, exampleOf(wire, name, type)] as const)
  return JSON.stringify(Object.fromEntries(members), undefined, 2)
}

const examples: Readonly<Record<string, unknown>> = { STRING: 'text', LONG: 1, DOUBLE: 1.5, BOOL: true, OBJECT: {} }

function exampleOf(wire: Wire, name: string, type: string): unknown {
  const { values, min } = listIn(wire, 'attr').find((each) => each.name === name) ?? {}
  if (Array.isArray(values)) return values[0]
  return type !== 'STRING' && min !== undefined ? min : examples[type]
}
