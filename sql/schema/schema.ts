/**
 * A schema as the rest of Weir reads it: wire abbreviations are gone, codes are names, defaults are filled in.
 * `decode.ts` makes these values from a request body; nothing else does.
 */

export type AttributeType = 'STRING' | 'LONG' | 'DOUBLE' | 'OBJECT' | 'BOOL'
export type StatisticKind = 'COUNT' | 'UCOUNT' | 'RSTAT'
export type StreamKind = 'input' | 'filter' | 'join' | 'entity'

export type LimitValue = string | number | bigint | boolean

/** Which events are refused for an attribute: those without it, or with a value outside. */
export type Limits = {
  readonly required?: true
  readonly values?: readonly LimitValue[]
  readonly min?: number | bigint
  readonly max?: number | bigint
}

/** A posted or derived member of an event. The fields of an OBJECT stand beside it, under their dotted names. */
export type Attribute = {
  readonly name: string
  readonly type: AttributeType
  readonly statistic?: StatisticKind
  /** Seconds an interval of the running statistic is long. */
  readonly granularity: number
  readonly primaryKey: boolean
  /** An attribute of a stream that takes events may have them. */
  readonly limits?: Limits
}

/** The effect of a computed attribute on an event that already has a member of its name. */
export type PresentRule = 'add' | 'replace' | 'add if missing'

export type ComputedAttribute = {
  readonly name: string
  readonly type: AttributeType
  /** A name from `operations` in codes.ts, in upper case. */
  readonly operation: string
  /** Attribute names; for COPY_VAL the literal, for MATH_EXP the expression. */
  readonly inputs: readonly (string | number | boolean)[]
  readonly order: number
  readonly whenPresent: PresentRule
  readonly model?: string
  /** Of PRED: the probability of this label is stored, in place of the label that is predicted. */
  readonly probabilityOf?: string
  readonly algorithm?: string
  readonly attributeType?: 'NUM' | 'STRING' | 'HYBRID'
  readonly expectedFormat?: string
}

export type GroupBy = {
  /** Attributes whose values name the group, in order. */
  readonly pattern: readonly string[]
  readonly input: string
  readonly statistic: StatisticKind
  readonly granularity: number
  /** Seconds a group's interval is kept; absent: for ever. */
  readonly window?: number
}

export type EntityKey = {
  readonly name: string
  readonly type: AttributeType
  /** The event's attributes that give it; the values of several are joined by `:`. */
  readonly inputs: readonly string[]
}

export type Entity = {
  readonly name: string
  readonly statistic: StatisticKind
  /** `results[i]` in the target stream is the statistic over `inputs[i]`. */
  readonly results: readonly string[]
  readonly inputs: readonly string[]
  readonly keys: readonly EntityKey[]
  /** Name of the type 4 stream that holds one row per key. */
  readonly target: string
}

export type Relation = {
  readonly subject: string
  readonly object: string
  readonly relation: string
  readonly subjectLabel: string
  readonly objectLabel: string
  readonly subjectProperties: readonly string[]
  readonly objectProperties: readonly string[]
  readonly relationProperties: readonly string[]
  readonly updateSubject: boolean
  readonly updateObject: boolean
}

export type Filter = {
  readonly name: string
  readonly condition: import('../query/ast.ts').Condition
  /** Attributes copied to the target stream. */
  readonly attributes: readonly string[]
  readonly target: string
}

/** A filter's `notf`: each event that passes is a match of the notification. The filter may copy nothing. */
export type Notice = {
  readonly name: string
  readonly condition: import('../query/ast.ts').Condition
  readonly notification: number
}

export type Stream = {
  readonly name: string
  readonly kind: StreamKind
  /** Seconds an event stays; 0 is for ever. */
  readonly window: number
  /** Events with members that it does not declare are refused. */
  readonly strict?: true
  readonly inputs: readonly string[]
  /** Declared attributes, the fields of OBJECTs (dotted names) included. */
  readonly attributes: readonly Attribute[]
  readonly computed: readonly ComputedAttribute[]
  readonly groupBys: readonly GroupBy[]
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
  readonly filters: readonly Filter[]
  readonly notices: readonly Notice[]
}

export type Schema = {
  readonly name: string
  readonly streams: readonly Stream[]
  /** Its log may deliver an event again, so its tables keep watermarks. Set where the log is chosen, never by a client. */
  readonly redelivered?: true
}
