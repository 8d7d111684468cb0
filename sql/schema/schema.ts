/**
 * A schema as the rest of Weir reads it: wire abbreviations are gone, codes are names, defaults are filled in.
 * `decode.ts` makes these values from a request body; nothing else does.
 */

export type AttributeType = 'STRING' | 'LONG' | 'DOUBLE' | 'OBJECT' | 'BOOL'
export type StatisticKind = 'COUNT' | 'UCOUNT' | 'RSTAT' | 'QUANTILES' | 'LAST' | 'FIRST' | 'TOPK'
export type StreamKind = 'input' | 'filter' | 'join' | 'entity'

export type LimitValue = string | number | bigint | boolean

/** Which events are refused for an attribute: those without it, or with a value outside. */
export type Limits = {
  readonly required?: true
  readonly values?: readonly LimitValue[]
  readonly min?: number | bigint
  readonly max?: number | bigint
}

/** The statistics that are kept over one attribute: at least one, each once, in the order of their codes. */
export type Statistics = {
  readonly kinds: readonly StatisticKind[]
  /** Of QUANTILES: shares between 0 and 1. */
  readonly levels?: readonly number[]
  /** Of TOPK: how many values are answered. */
  readonly top?: number
}

/** A posted or derived member of an event. The fields of an OBJECT stand beside it, under their dotted names. */
export type Attribute = {
  readonly name: string
  readonly type: AttributeType
  readonly statistics?: Statistics
  /** Seconds an interval of the running statistics is long. */
  readonly granularity: number
  readonly primaryKey: boolean
  /** A value of a table's record, of whatever JSON type it has there. Its type is OBJECT, so that it has no column. */
  readonly isOpen?: true
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
  /** Of PRED: the version of the model that is asked, by its number or an alias; absent: the current one. */
  readonly version?: number | string
  /** Of PRED: the probability of this label is stored, in place of the label that is predicted. */
  readonly probabilityOf?: string
  readonly algorithm?: string
  readonly attributeType?: 'NUM' | 'STRING' | 'HYBRID'
  readonly expectedFormat?: string
  /** It is computed before the references of its stream are looked up, which may read it. */
  readonly isBeforeReferences?: true
  /** Of PRED: the model's inputs are the last so many values of the first input, without the event's own. */
  readonly lag?: number
  /** Of PRED with `lag`: the attribute whose value says which events are of one series. */
  readonly uid?: string
  /** Of FOLD: the attributes whose values say which events carry one value on; none: all of the stream do. */
  readonly key?: readonly string[]
  /** Of FOLD: the value before the first event of a key. */
  readonly start?: string | number | boolean
}

export type GroupBy = {
  /** Attributes whose values name the group, in order. */
  readonly pattern: readonly string[]
  readonly input: string
  readonly statistics: Statistics
  readonly granularity: number
  /** Seconds a group's interval is kept; absent: for ever. */
  readonly window?: number
  readonly session?: Session
}

/**
 * The events of a key that follow each other within `gap_us` are a session, as far as it gets no longer than `longest_us`. One that is
 * closed gives a row with the statistics over it, or a match of a notification.
 */
export type Session = {
  readonly gap_us: number
  readonly longest_us: number
  readonly target?: string
  readonly notification?: number
}

export type EntityKey = {
  readonly name: string
  readonly type: AttributeType
  /** The event's attributes that give it; the values of several are joined by `:`. */
  readonly inputs: readonly string[]
}

export type Entity = {
  readonly name: string
  readonly statistics: Statistics
  /** Seconds, the shortest first: the same statistics are kept over the last so many seconds as well. */
  readonly windows?: readonly number[]
  /** `results[i]` in the target stream has the statistics over `inputs[i]`. */
  readonly results: readonly string[]
  readonly inputs: readonly string[]
  readonly keys: readonly EntityKey[]
  /** Name of the type 4 stream that holds one row per key. */
  readonly target: string
  readonly session?: Session
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
  /** Computed over the whole event, and added to the copy. */
  readonly computed?: readonly ComputedAttribute[]
}

/** A filter's `notf`: each event that passes is a match of the notification. The filter may copy nothing. */
export type Notice = {
  readonly name: string
  readonly condition: import('../query/ast.ts').Condition
  readonly notification: number
}

/** `node`: each event gives a node of the schema's graph, without a relation. */
export type NodeOfEvent = {
  readonly subject: string
  readonly label: string
  readonly properties: readonly string[]
  readonly update: boolean
}

/**
 * A statistic over the intervals of `granularity` seconds that overlap the time from `length_us` before the event to the
 * event: `avg(sensor.speed, m_5, more_10)`.
 */
export type MovingValue = {
  readonly kind: 'moving'
  readonly statistic: 'AVG' | 'SUM' | 'STD' | 'MIN' | 'MAX' | 'COUNT'
  /** A stream of the schema, and its attribute that has a running statistic. */
  readonly stream: string
  readonly attribute: string
  /** Counts those events alone that have the value which the event has in this attribute. */
  readonly by?: string
  readonly length_us: number
  readonly granularity: number
  /** Is added to the value: percent of it, or an amount; less than 0 for LESS and ABSLESS. */
  readonly margin?: { readonly kind: 'percent' | 'amount'; readonly value: number }
}

export type RuleOperand =
  | import('../query/ast.ts').Literal
  | { readonly kind: 'attribute'; readonly path: string }
  | MovingValue

/** A condition that the rules evaluate, on the event as it is stored. */
export type RuleCondition =
  | {
      readonly kind: 'compare'
      readonly left: RuleOperand
      readonly operator: import('../query/ast.ts').Operator
      readonly right: RuleOperand
    }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly RuleCondition[] }

/** A filter with a moving value in its condition (qtype 3): the rules evaluate it, since no SQL says it. */
export type MovingFilter = {
  readonly name: string
  readonly condition: RuleCondition
  readonly attributes: readonly string[]
  readonly computed: readonly ComputedAttribute[]
  readonly target?: string
  readonly notification?: number
}

/** A condition between an event and an earlier one: it holds where all terms do. A missing value satisfies none. */
export type PairCondition = {
  readonly terms: readonly PairTerm[]
  /** Events that may come between the two: any; none of the stream; none that agrees on the `=` terms. */
  readonly between: 'any' | 'none of the stream' | 'none of the key'
}

export type PairTerm = {
  /** The attribute of the earlier (for a reference: the referenced) event; it stands on the left side. */
  readonly other: string
  readonly operator: import('../query/ast.ts').Operator
  readonly value:
    | { readonly kind: 'attribute'; readonly name: string }
    | { readonly kind: 'fixed'; readonly value: LimitValue }
    | { readonly kind: 'expression'; readonly text: string }
}

/** A `refr`: the latest row of `source` that satisfies gives `sources[i]` to `results[i]`, before the event is stored. */
export type Reference = {
  readonly name: string
  readonly source:
    | { readonly kind: 'stream'; readonly stream: string }
    /** `sources` are paths such as `sales.avg`; the terms are an `=` with each of the entity's keys. */
    | { readonly kind: 'entity'; readonly stream: string }
    | { readonly kind: 'table'; readonly database: string; readonly table: string }
  /**
   * Attributes of the event; they are among the attributes of its stream. A table's value that is not of the type that
   * its attribute declares stays missing.
   */
  readonly results: readonly string[]
  /** Attributes of the source (`_pk` too), paths into a table's records. */
  readonly sources: readonly string[]
  readonly condition: PairCondition
  readonly whenPresent: PresentRule
  /** Of a stream's rows: the latest one by its `_pk` that is not later than the event's, in place of the latest in the log. */
  readonly asOf?: '_pk'
}

/**
 * An entry of `join` or `cepq`, as one of its two streams declares it.
 * - `single`: each event that passes `filter` is a match (pattern type 6).
 * - `run`: candidates of this stream itself (pattern type 1 with its own stream).
 * - `pair`: an event takes the oldest free one of the partner (types 1).
 * - `latest`: an active event meets the partner's very latest (types 2, 4).
 * - `matching`: an active event meets the partner's latest that satisfies (types 3, 5).
 * - `all`: an event meets each earlier one of the partner that satisfies (join types 6).
 */
export type Rule = {
  readonly kind: 'join' | 'pattern'
  readonly name: string
  readonly mode: 'single' | 'run' | 'pair' | 'latest' | 'matching' | 'all'
  /** Whether events of this stream make rows; in `pair` and `all` those of both streams do. */
  readonly role: 'active' | 'passive' | 'both'
  /** The other stream; absent in `single`, this stream in `run`. */
  readonly partner?: string
  /** Max difference of the two events' `_pk`, in microseconds. */
  readonly distance_us: number
  /** Attributes of the triggering event (`iatr`) and of the other one (`ratr`) that the row gets. */
  readonly inputs: readonly string[]
  readonly results: readonly string[]
  /** Of a run: paths of values over the whole run that its row has, such as `first.speed`, `count` and `avg.speed`. */
  readonly runResults?: readonly string[]
  /** Of a run: a match uses its events up, and the next run of the key begins behind it. */
  readonly skip?: 'past'
  /** Absent in `single`, and on a side that declares none. */
  readonly condition?: PairCondition
  readonly filter?: RuleCondition
  /** Attributes that are computed over the row. */
  readonly computed: readonly ComputedAttribute[]
  readonly target?: string
  readonly notification?: number
  /** NUMT: joins that are needed before the first row; 1 in a join. */
  readonly count: number
  /** DUR: the last `count` joins are within this time, in microseconds. */
  readonly within_us?: number
  /** `cqry`: holds for the event that makes the row. */
  readonly closing?: RuleCondition
  readonly absent?: Absence
}

/**
 * The outcome of an event of the rule's stream that has found no partner, and that none has found, when `after_us` are over: a row
 * of its inputs, or a notification.
 */
export type Absence = {
  readonly after_us: number
  readonly target?: string
  readonly notification?: number
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
  readonly nodes: readonly NodeOfEvent[]
  readonly filters: readonly Filter[]
  readonly notices: readonly Notice[]
  readonly movingFilters: readonly MovingFilter[]
  readonly references: readonly Reference[]
  readonly rules: readonly Rule[]
  /**
   * The rules make its events, before ClickHouse, and it has a part of the log of its own. So it is with each stream of
   * kind `join`, and with a stream of kind `filter` that rules observe or that needs more than SQL says.
   */
  readonly isMade?: true
}

export type Schema = {
  readonly name: string
  readonly streams: readonly Stream[]
  /** Its log may deliver an event again, so its tables keep watermarks. Set where the log is chosen, never by a client. */
  readonly redelivered?: true
}
