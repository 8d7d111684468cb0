import type { Attribute, AttributeType, Rule, Schema, Stream } from '../../../../sql/schema/schema.ts'

export const attribute = (name: string, type: AttributeType, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type,
  granularity: 60,
  primaryKey: false,
  ...more,
})

export const inputStream = (name: string, attributes: readonly Attribute[], more: Partial<Stream> = {}): Stream => ({
  name,
  kind: 'input',
  window: 0,
  inputs: attributes.map((each) => each.name),
  attributes,
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

/** A stream whose events the rules make. */
export const madeStream = (name: string, attributes: readonly Attribute[], more: Partial<Stream> = {}): Stream =>
  inputStream(name, attributes, { kind: 'join', isMade: true, ...more })

export const schemaOf = (name: string, streams: readonly Stream[]): Schema => ({ name, streams })

export const ruleOf = (rule: Partial<Rule> & Pick<Rule, 'mode' | 'role'>): Rule => ({
  kind: 'pattern',
  name: 'rule',
  distance_us: 86_400_000_000,
  inputs: [],
  results: [],
  computed: [],
  count: 1,
  ...rule,
})
