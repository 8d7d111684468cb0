/** A schema with streams that rules make: by a join with a notification, a filter with computed attributes, a moving filter. */
import type { Attribute, Schema, Stream } from '../../sql/schema/schema.ts'

export const attribute = (name: string, type: Attribute['type'], statistic?: Attribute['statistic']): Attribute => ({
  name,
  type,
  granularity: 60,
  primaryKey: false,
  ...(statistic && { statistic }),
})

export const stream = (name: string, kind: Stream['kind'], more: Partial<Stream>): Stream => ({
  name,
  kind,
  window: 0,
  inputs: [],
  attributes: [],
  computed: [],
  groupBys: [],
  entities: [],
  relations: [],
  nodes: [],
  filters: [],
  notices: [],
  movingFilters: [],
  references: [],
  rules: [],
  ...more,
})

const point = attribute('point', 'STRING')
const key = { name: 'point', type: 'STRING', inputs: ['point'] } as const
const above = (path: string, text: string) =>
  ({
    kind: 'compare',
    path,
    operator: '>',
    value: { kind: 'number', text },
    at: { offset: 0, line: 1, column: 1 },
  }) as const

const pair = {
  kind: 'join',
  mode: 'pair',
  role: 'both',
  distance_us: 86_400_000_000,
  computed: [],
  target: 'readings',
  notification: 7,
  count: 1,
  condition: {
    terms: [{ other: 'point', operator: '=', value: { kind: 'attribute', name: 'point' } }],
    between: 'any',
  },
} as const

export const plant: Schema = {
  name: 'plant',
  streams: [
    stream('temps', 'input', {
      attributes: [attribute('temp', 'DOUBLE', 'RSTAT'), point],
      rules: [{ ...pair, name: 'both', partner: 'presses', inputs: ['temp', 'point'], results: ['press'] }],
      filters: [
        { name: 'hot', condition: above('temp', '70'), attributes: ['temp', 'point'], target: 'hot' },
        { name: 'plain', condition: above('temp', '50'), attributes: ['temp'], target: 'warm' },
      ],
      nodes: [{ subject: 'point', label: 'place', properties: ['temp'], update: true }],
    }),
    stream('presses', 'input', {
      attributes: [attribute('press', 'DOUBLE'), point],
      rules: [{ ...pair, name: 'both', partner: 'temps', inputs: ['press', 'point'], results: ['temp'] }],
    }),
    stream('readings', 'join', {
      isMade: true,
      attributes: [attribute('temp', 'DOUBLE', 'RSTAT'), attribute('press', 'DOUBLE'), point],
      groupBys: [{ pattern: ['point'], input: 'temp', statistic: 'COUNT', granularity: 60 }],
      entities: [{ name: 'e', statistic: 'COUNT', results: ['seen'], inputs: ['temp'], keys: [key], target: 'points' }],
      relations: [
        {
          subject: 'point',
          object: 'temp',
          relation: 'READ',
          subjectLabel: 'place',
          objectLabel: 'temp',
          subjectProperties: [],
          objectProperties: [],
          relationProperties: ['press'],
          updateSubject: false,
          updateObject: false,
        },
      ],
      filters: [{ name: 'high', condition: above('_jpk1', '100'), attributes: ['temp'], target: 'high' }],
      notices: [{ name: 'told', condition: above('press', '11'), notification: 8 }],
    }),
    stream('hot', 'filter', {
      isMade: true,
      attributes: [attribute('temp', 'DOUBLE', 'RSTAT'), point, attribute('twice', 'DOUBLE')],
      computed: [
        { name: 'twice', type: 'DOUBLE', operation: 'ADD', inputs: ['temp', 'temp'], order: 1, whenPresent: 'replace' },
      ],
      nodes: [{ subject: 'point', label: 'place', properties: ['twice'], update: false }],
      movingFilters: [
        {
          name: 'rising',
          condition: {
            kind: 'compare',
            left: { kind: 'attribute', path: 'temp' },
            operator: '>',
            right: {
              kind: 'moving',
              statistic: 'AVG',
              stream: 'temps',
              attribute: 'temp',
              length_us: 300_000_000,
              granularity: 60,
            },
          },
          attributes: ['temp'],
          computed: [],
          target: 'rising',
          notification: 9,
        },
      ],
    }),
    stream('rising', 'filter', { isMade: true, attributes: [attribute('temp', 'DOUBLE')] }),
    stream('warm', 'filter', { attributes: [attribute('temp', 'DOUBLE')] }),
    stream('high', 'filter', { attributes: [attribute('temp', 'DOUBLE')] }),
    stream('points', 'entity', { attributes: [point, attribute('seen', 'LONG')] }),
  ],
}
