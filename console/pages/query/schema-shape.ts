/** A schema as far as suggestions need it: its streams, with the attributes, statistics and groups of each. */
import type { ShowSchemaAnswer, Stream } from '../../api/calls.ts'
import { attributeTypes, streamKinds } from '../../api/codes.ts'
import { type Kept, keptBy, windowName } from './kept-statistics.ts'

export type StreamShape = {
  readonly name: string
  readonly isEntity: boolean
  readonly attributes: readonly {
    readonly name: string
    readonly type: string
    readonly kept?: Kept
    readonly interval_s: number
  }[]
  readonly groups: readonly {
    readonly by: readonly string[]
    readonly of: string
    readonly kept: Kept
    readonly interval_s: number
  }[]
  /** Of an entity stream: its results, as they are counted, over all time and over windows. */
  readonly results: readonly { readonly name: string; readonly kept: Kept; readonly windows: readonly string[] }[]
  /** Whether it has rows of sessions. */
  readonly hasSessions: boolean
}

export type SchemaShape = { readonly name: string; readonly streams: readonly StreamShape[] }

const usualInterval_s = 60

const typeName = (type: unknown): string => attributeTypes[String(type).toUpperCase()] ?? String(type ?? '')
const counted = keptBy('COUNT') ?? { statistic: 'COUNT', columns: ['cnt'], members: ['cnt'] }

export function shapeOf(answer: ShowSchemaAnswer | string): SchemaShape {
  // The wire form is asked for, whose streams are a list, as they were registered.
  const { schema = '', streams: shown = [] } = typeof answer === 'string' ? {} : answer
  const streams = Array.isArray(shown) ? (shown as readonly Stream[]) : []
  const entities = streams.flatMap(({ enty = [] }) => enty)
  const sessions = streams.flatMap(({ enty = [], gpby = [] }) => [...enty, ...gpby]).filter(({ session }) => session)
  return {
    name: schema,
    streams: streams.map(({ name, type, attr = [], catr = [], gpby = [] }) => {
      const isEntity = streamKinds[String(type).toUpperCase()] === 'entity'
      const all = [...attr, ...catr.filter((each) => !attr.some((other) => other.name === each.name))]
      return {
        name,
        isEntity,
        attributes: all.map((each) => {
          const kept = isEntity ? undefined : keptBy(each.stat, each.q)
          return {
            name: each.name,
            type: typeName(each.type),
            interval_s: each.gran ?? usualInterval_s,
            ...(kept !== undefined && { kept }),
          }
        }),
        groups: gpby.map(({ gpat, iatr, stat, q, gran }) => ({
          by: gpat,
          of: iatr,
          kept: keptBy(stat, q) ?? counted,
          interval_s: gran ?? usualInterval_s,
        })),
        results: entities
          .filter(({ rstm }) => isEntity && rstm === name)
          .flatMap(({ ratr, opid, q, window = [] }) =>
            ratr.map((result) => ({ name: result, kept: keptBy(opid, q) ?? counted, windows: window.map(windowName) })),
          ),
        hasSessions: sessions.some(({ ostm }) => ostm === name),
      }
    }),
  }
}
