/** A schema as far as suggestions need it: its streams, with the attributes, statistics and groups of each. */
import type { ShowSchemaAnswer, Stream } from '../../api/calls.ts'
import { attributeTypes, statistics, streamKinds } from '../../api/codes.ts'

export type StreamShape = {
  readonly name: string
  readonly isEntity: boolean
  readonly attributes: readonly {
    readonly name: string
    readonly type: string
    readonly statistic?: string
    readonly interval_s: number
  }[]
  readonly groups: readonly {
    readonly by: readonly string[]
    readonly of: string
    readonly statistic: string
    readonly interval_s: number
  }[]
  /** Of an entity stream: its results, as they are counted. */
  readonly results: readonly { readonly name: string; readonly statistic: string }[]
}

export type SchemaShape = { readonly name: string; readonly streams: readonly StreamShape[] }

const usualInterval_s = 60

const typeName = (type: unknown): string => attributeTypes[String(type).toUpperCase()] ?? String(type ?? '')
const statisticName = (stat: unknown): string | undefined => statistics[String(stat).toUpperCase()]

export function shapeOf(answer: ShowSchemaAnswer | string): SchemaShape {
  // The wire form is asked for, whose streams are a list, as they were registered.
  const { schema = '', streams: shown = [] } = typeof answer === 'string' ? {} : answer
  const streams = Array.isArray(shown) ? (shown as readonly Stream[]) : []
  const entities = streams.flatMap(({ enty = [] }) => enty)
  return {
    name: schema,
    streams: streams.map(({ name, type, attr = [], catr = [], gpby = [] }) => {
      const isEntity = streamKinds[String(type).toUpperCase()] === 'entity'
      const all = [...attr, ...catr.filter((each) => !attr.some((other) => other.name === each.name))]
      return {
        name,
        isEntity,
        attributes: all.map((each) => {
          const statistic = isEntity ? undefined : statisticName(each.stat)
          return {
            name: each.name,
            type: typeName(each.type),
            interval_s: each.gran ?? usualInterval_s,
            ...(statistic !== undefined && { statistic }),
          }
        }),
        groups: gpby.map(({ gpat, iatr, stat, gran }) => ({
          by: gpat,
          of: iatr,
          statistic: statisticName(stat) ?? 'COUNT',
          interval_s: gran ?? usualInterval_s,
        })),
        results: entities
          .filter(({ rstm }) => isEntity && rstm === name)
          .flatMap(({ ratr, opid }) =>
            ratr.map((result) => ({ name: result, statistic: statisticName(opid) ?? 'COUNT' })),
          ),
      }
    }),
  }
}
