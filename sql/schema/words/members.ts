/**
 * The words of a definition, object by object: each with the member of the wire form that it is, and what it says. The
 * translation, the JSON Schema and the page on words are made from these tables.
 */
import { isObject, type Json } from '../../../base/json.ts'
import { decodeCode, operations } from '../codes.ts'
import { maxWindow, minWindow } from '../windows.ts'
import {
  isAbsent,
  list,
  type Member,
  member,
  named,
  object,
  type Part,
  readNamed,
  readPart,
  type Wire,
  writeNamed,
  writePart,
} from './codec.ts'
import { expression } from './expression.ts'
import { isLiteral } from './literal.ts'
import { pairToWire, pairToWords } from './pair.ts'
import { duration, flag, listOf, names, number, same, text, wholeNumber } from './scalars.ts'
import { stats } from './statistics.ts'
import { where } from './where.ts'
import { format, kind, modelInputs, operation, present, type } from './words-of-codes.ts'

const year_s = 366 * 86_400
const week_s = 604_800
const interval = duration({ most: year_s, isWhole: true })
const kept = duration({ most: 1e9, isEndless: true, isWhole: true })
const windows = listOf(duration({ least: minWindow, most: maxWindow, isWhole: true }))
const span = duration({ most: week_s })
const literals = same({ type: 'array', items: { type: ['string', 'number', 'boolean'] } })

/** Statistic and limits, of an attribute that an event brings or that is computed. */
const ofAttribute: readonly Member[] = [
  stats('stat', 'the running statistics that are kept'),
  member('every', 'gran', interval, 'the length of an interval of the statistic; 1m where it is not said', {
    example: '5m',
  }),
  member('key', 'pk', flag, 'whether it is the key of an entity', { silent: false }),
  member('required', 'required', flag, 'whether events without it are refused', { example: true, silent: false }),
  member('values', 'values', literals, 'the values that it may have; events with others are refused', {
    example: ['cash', 'card'],
  }),
  member('min', 'min', number, 'events with less are refused', { example: 0 }),
  member('max', 'max', number, 'events with more are refused', { example: 100 }),
  member('key_size', 'kysz', wholeNumber, 'taken for clients of the original; it changes nothing'),
  member('index', 'sidx', wholeNumber, 'taken for clients of the original; it changes nothing'),
  member('reverse_index', 'ridx', same({}), 'taken for clients of the original; it changes nothing'),
]

const typed = member('type', 'type', type, 'text, integer (64 bits), number, boolean, or json (an object or a list)', {
  example: 'text',
})

const attributeId = 'attribute'
/** The names of fields count from their object; on the wire they have its name in front. */
const fields: Member = {
  word: 'fields',
  wire: ['fields'],
  says: 'what a json attribute has inside, as far as statistics, conditions or types need it',
  example: { sku: 'text', pieces: 'integer' },
  schema: { type: 'object', additionalProperties: { $ref: `#/$defs/${attributeId}` } },
  write(words, at, to, out) {
    const fieldsOut = writeNamed(attribute, words, at, to, { prefix: `${out.name}.` })
    if (fieldsOut === undefined) return
    out.fields = fieldsOut
    to.link(out, 'fields', at)
  },
  read(wire, from) {
    if (isAbsent(wire.fields)) return { taken: ['fields'] }
    const words =
      wire.fields === undefined ? undefined : readNamed(attribute, wire.fields, from, { prefix: `${wire.name}.` })
    return words === undefined ? undefined : { taken: ['fields'], words }
  },
}

const attribute: Part = {
  id: attributeId,
  what: 'an attribute',
  says: 'A member of events; its type alone where there is nothing else to say.',
  short: 'type',
  members: [typed, fields, ...ofAttribute],
}

/** The name of a computed attribute's operation. */
function operationOf(wire: Wire): string | undefined {
  const sent = [wire.opid, wire.opnm].find((each) => each !== undefined && each !== null && each !== '' && each !== 0)
  const code = decodeCode(operations, sent)
  return 'name' in code ? code.name : undefined
}

const inputsOf = (wire: Wire): readonly Json[] => {
  const { iatr } = wire
  if (Array.isArray(iatr)) return iatr.flat()
  return typeof iatr === 'string' ? [iatr] : []
}

const operated = ['opid', 'opnm', 'iatr']

/** An operation of one operand that has a word of its own. */
const ofOne = (word: string, name: string, says: string, example: Json, value: typeof expression): Member => ({
  word,
  wire: operated,
  says,
  example,
  schema: value.schema,
  write(words, at, to, out) {
    const operand = value.toWire(words, at, to)
    if (operand === undefined) return
    out.opnm = name
    out.iatr = [operand]
    for (const each of ['opnm', 'iatr']) to.link(out, each, at)
  },
  read(wire, from) {
    const [only, ...more] = inputsOf(wire)
    if (operationOf(wire) !== name || only === undefined || more.length > 0) return undefined
    const words = value.toWords(only, from)
    return words === undefined ? undefined : { taken: operated, words }
  },
})

const literal: typeof expression = {
  toWire(words, at, to) {
    if (isLiteral(words)) return words
    to.fail(at, 'must be a text, a number, true or false')
    return undefined
  },
  toWords: (wire) => (isLiteral(wire) ? wire : undefined),
  schema: { type: ['string', 'number', 'boolean'] },
}

const isPlainPrediction = (wire: Wire) =>
  operationOf(wire) === 'PRED' && typeof wire.model === 'string' && wire.model !== ''

const predicted: Member = {
  word: 'predict',
  wire: ['opnm', 'opid', 'model'],
  says: 'the model whose prediction it is',
  example: 'fraud',
  schema: { type: 'string' },
  write(words, at, to, out) {
    const model = text.toWire(words, at, to)
    if (model === undefined) return
    out.opnm = 'PRED'
    out.model = model
    for (const each of ['opnm', 'model']) to.link(out, each, at)
  },
  read: (wire) =>
    isPlainPrediction(wire) && wire.model !== undefined
      ? { taken: ['opnm', 'opid', 'model'], words: wire.model }
      : undefined,
}

const inputs = same({ type: 'array', items: { type: ['string', 'number', 'boolean'] } })
/** The operands of an operation, or the inputs of a model: which word, says whose they are. */
const operands = (word: string, says: string, example: Json, isMine: (wire: Wire) => boolean): Member => ({
  word,
  wire: ['iatr'],
  says,
  example,
  schema: inputs.schema,
  write(words, at, to, out) {
    if (out.iatr !== undefined) return to.fail(at, 'has no place beside is or value, which say what is computed')
    const operandsOut = Array.isArray(words) ? words : [words]
    if (!operandsOut.every(isLiteral)) return to.fail(at, 'must be a list of attributes or values')
    out.iatr = [...operandsOut]
    to.link(out, 'iatr', at)
    for (const index of operandsOut.keys()) to.link(out.iatr, index, [...at, index])
  },
  read(wire) {
    if (!isMine(wire)) return undefined
    const said = inputsOf(wire)
    return { taken: ['iatr'], ...(said.length > 0 && { words: [...said] }) }
  },
})

const applied: Member = {
  word: 'apply',
  wire: ['opnm', 'opid'],
  says: 'an operation on the operands of to, such as year of a date',
  example: 'year',
  schema: operation.schema,
  write(words, at, to, out) {
    if (out.opnm !== undefined) return to.fail(at, 'has no place beside is, value or predict')
    const name = operation.toWire(words, at, to)
    if (name === undefined) return
    out.opnm = name
    to.link(out, 'opnm', at)
  },
  read(wire, from) {
    const name = operationOf(wire)
    const words = name === undefined || isSpecial(wire) ? undefined : operation.toWords(name, from)
    return words === undefined ? undefined : { taken: ['opnm', 'opid'], words }
  },
}

const formula = ofOne(
  'is',
  'MATH_EXP',
  'an expression over other attributes: arithmetic, comparisons, and, or, not, texts in single quotes, if, coalesce, concat, substr, split, replace, trim, upper, lower, length, hash, abs, round, min, max and others',
  "if(price > 100, 'dear', 'cheap')",
  expression,
)
const constant = ofOne('value', 'COPY_VAL', 'a value that every event gets', 'web', literal)
const nowhere = { stream: '', attributes: () => new Set<string>() }
const folded = ofOne(
  'fold',
  'FOLD',
  'an expression that carries a value from one event of a key to the next: its own name in it is the value before; an event that lacks an input keeps that value',
  'balance + amount',
  expression,
)
/** Whether is, value, fold or predict say the operation. */
const isSpecial = (wire: Wire): boolean =>
  [formula, constant, folded, predicted].some((each) => each.read(wire, nowhere) !== undefined)
const isOther = (wire: Wire): boolean => operationOf(wire) !== undefined && !isSpecial(wire)

export const computed: Part = {
  id: 'computed',
  what: 'a computed attribute',
  says: 'An attribute that Weir computes of each event as it comes: by is, value, fold, predict, or apply with to. Where no type is said, is, value and fold give theirs: arithmetic a number, a comparison a boolean, a function of texts a text.',
  short: 'is',
  members: [
    typed,
    formula,
    constant,
    folded,
    member(
      'by',
      'key',
      names,
      'with fold: the key, an attribute or a list of them; absent, all events of the stream are one',
      {
        example: 'account',
      },
    ),
    member('start', 'start', literal, 'with fold: the value before the first event of a key', { example: 0 }),
    predicted,
    operands('from', "the model's inputs", ['price', 'country'], isPlainPrediction),
    applied,
    operands(
      'to',
      'the operands of apply: attributes and values; for concat, split and their like a text stands in single quotes',
      ['date'],
      isOther,
    ),
    member(
      'probability_of',
      'prob',
      { ...text, toWords: (wire) => (isLiteral(wire) && typeof wire !== 'boolean' ? String(wire) : undefined) },
      'the label whose probability is stored, in place of the label that is predicted',
      { example: 'fraud' },
    ),
    member(
      'version',
      'version',
      literal,
      'the version of the model that is asked, by number or alias; absent, the current one',
      { example: 'champion' },
    ),
    member('algorithm', 'algo', text, 'the algorithm of the model', { example: 'SVM' }),
    member('inputs', 'attr_type', modelInputs, "whether the model's inputs are numbers, texts or mixed", {
      example: 'mixed',
    }),
    member('format', 'exp_fmt', format, 'the format that the model expects', { example: 'csv' }),
    member(
      'last',
      'lag',
      wholeNumber,
      'predicts from the last so many values of its one input, this event not among them',
      { example: 5 },
    ),
    member('series', 'uid', text, 'with last: the attribute that tells series apart', { example: 'device' }),
    member('when_present', 'fnr', present, 'what happens where the event has it already: add, replace, or keep', {
      example: 'keep',
      silent: 'add',
    }),
    member('order', 'order', number, 'breaks ties in the order of computation', { silent: 0 }),
    member('before_lookups', 'seq', flag, 'whether it is computed before the lookups, which may read it then', {
      silent: false,
    }),
    ...ofAttribute,
  ],
}

/** From what to which attribute: `{country: home}`. A list of such objects where one source goes to two attributes. */
const taken: Member = {
  word: 'take',
  wire: ['iatr', 'ratr'],
  says: 'what the event gets: of the row, and as which attribute',
  example: { country: 'home' },
  schema: { type: ['object', 'array'] },
  write(words, at, to, out) {
    const parts = Array.isArray(words) ? words : [words]
    const [iatr, ratr]: [Json[], Json[]] = [[], []]
    for (const [place, part] of parts.entries()) {
      const here = Array.isArray(words) ? [...at, place] : at
      if (!isObject(part))
        return to.fail(here, 'must be an object: of the row, and as which attribute, such as {country: home}')
      for (const [source, result] of Object.entries(part)) {
        if (typeof result !== 'string') return to.fail([...here, source], 'must be the name of an attribute')
        to.link(iatr, iatr.length, [...here, source])
        to.link(ratr, ratr.length, [...here, source])
        iatr.push(result)
        ratr.push(source)
      }
    }
    Object.assign(out, { iatr, ratr })
    for (const each of ['iatr', 'ratr']) to.link(out, each, at)
  },
  read(wire, from) {
    const [results, sources] = [wire.iatr, wire.ratr].map((each) =>
      each === undefined ? undefined : names.toWords(each, from),
    )
    if (!Array.isArray(results) || !Array.isArray(sources) || results.length !== sources.length) return undefined
    const pairs = sources.map((source, index) => [String(source), results[index] ?? null] as const)
    const isPlain = new Set(sources).size === sources.length && !sources.some((each) => /^\d+$/.test(String(each)))
    const words = isPlain ? Object.fromEntries(pairs) : pairs.map((pair) => Object.fromEntries([pair]))
    return { taken: ['iatr', 'ratr'], words }
  },
}

const ofRow = { own: 'this', other: '' }

export const lookup: Part = {
  id: 'lookup',
  what: 'a lookup',
  says: 'Values from a row elsewhere that an event gets before it is stored.',
  members: [
    {
      ...member('from', 'rstm', text, 'a stream, an entity, or "table D.T"', { example: 'table depot.customers' }),
      write(words, at, to, out) {
        const source = text.toWire(words, at, to)
        if (typeof source !== 'string') return
        const table = /^table\s+(\S+)$/.exec(source)?.[1]
        if (table === undefined && source.includes('.'))
          return to.fail(at, `must be a stream, an entity, or a table: table ${source}`)
        out.rstm = table ?? source
        to.link(out, 'rstm', at)
      },
      read: ({ rstm }) =>
        typeof rstm === 'string' ? { taken: ['rstm'], words: rstm.includes('.') ? `table ${rstm}` : rstm } : undefined,
    },
    {
      word: 'where',
      wire: ['jqry'],
      says: 'which row: its attributes by their names, those of the event as this.name; joined by and',
      example: '_pk = this.customer',
      schema: { type: ['string', 'object'] },
      write(words, at, to, out) {
        const pair = pairToWire(words, at, to, ofRow)
        if (pair === undefined) return
        out.jqry = pair
        to.link(out, 'jqry', at)
      },
      read(wire, from) {
        const words = pairToWords(wire.jqry, from, ofRow)
        return words === undefined ? undefined : { taken: ['jqry'], words }
      },
    },
    taken,
    member(
      'as_of',
      'as_of',
      same({ enum: ['_pk'] }),
      "_pk: of a stream the row that was the latest at the event's own time, whenever the two came; else the latest that has come",
      { example: '_pk' },
    ),
    stats('stat', 'the statistics of the attributes that it brings'),
    member('every', 'gran', interval, 'the length of an interval of that statistic'),
    member(
      'when_present',
      'fnr',
      present,
      'what happens where the event has such an attribute: add, replace, or keep',
      { silent: 'add' },
    ),
  ],
}

const notified = member('notify', 'notf', wholeNumber, 'the number of a notification, of which each is a match', {
  example: 7,
})

export const sessionPart: Part = {
  id: 'session',
  what: 'a session',
  says: 'The events of a key that follow each other, until none comes for a while; a row and a notification once it is closed.',
  members: [
    member('after', 'session', span, 'the time without an event of the key after which it is closed', {
      example: '30m',
    }),
    member(
      'at_most',
      'smax',
      span,
      'its greatest length; an event behind it begins the next one; 1d where it is not said',
      {
        example: '4h',
      },
    ),
    member('into', 'ostm', text, 'the stream that gets a row of each, once it is closed; it need not be declared', {
      example: 'visits',
    }),
    notified,
  ],
}

/** Members of the wire by which an entry of `gpby` or `enty` has sessions. */
export const ofSession = sessionPart.members.flatMap((each) => each.wire)

const session: Member = {
  word: 'session',
  wire: ofSession,
  says: 'the events of a key, as long as they follow each other',
  example: { after: '30m', into: 'visits' },
  schema: object(sessionPart).schema,
  write(words, at, to, out) {
    for (const { word, wire } of sessionPart.members) for (const name of wire) to.link(out, name, [...at, word])
    writePart(sessionPart, words, at, to, out)
  },
  read(wire, from) {
    const said = Object.fromEntries(
      ofSession.flatMap((name) =>
        wire[name] === undefined || isAbsent(wire[name]) ? [] : [[name, wire[name] ?? null]],
      ),
    )
    return Object.keys(said).length === 0
      ? { taken: ofSession }
      : { taken: ofSession, words: readPart(sessionPart, said, from) }
  },
}

const groupBy: Part = {
  id: 'group',
  what: 'a group',
  says: 'A statistic for each combination of values.',
  members: [
    member('by', 'gpat', names, 'the attributes whose values name the group', { example: ['country', 'paid'] }),
    {
      ...member('of', 'iatr', text, 'the attribute that is counted', { example: 'price' }),
      read: ({ iatr }) => {
        const only = Array.isArray(iatr) && iatr.length === 1 ? iatr[0] : iatr
        return typeof only === 'string' ? { taken: ['iatr'], words: only } : undefined
      },
    },
    stats('stat', 'the statistics that are kept'),
    member('every', 'gran', interval, 'the length of an interval; 1m where it is not said', { example: '5m' }),
    member('keep', 'swsz', kept, 'how long intervals stay; for ever where it is not said', {
      example: '90d',
      silent: 'forever',
    }),
    session,
    member('key_size', 'kysz', wholeNumber, 'taken for clients of the original; it changes nothing'),
  ],
}

const computedBeside = member(
  'compute',
  'catr',
  named(computed),
  'computed over it, and added to the copy or the row',
  { example: { double: { type: 'number', is: 'price * 2' } } },
)
export const filter: Part = {
  id: 'filter',
  what: 'a filter',
  says: 'Events that satisfy a condition are copied to a stream, or are matches of a notification.',
  members: [
    member(
      'where',
      'fqry',
      where,
      'the condition, in the language of where; also over statistics: price > 1.1 * avg(orders.price, 5m)',
      { example: "price > 100 and country = 'DE'" },
    ),
    member('take', 'fatr', names, 'the attributes that are copied; all where it is not said', {
      example: ['customer', 'price'],
    }),
    {
      ...member('into', 'ostm', text, 'the stream that gets the copies; it need not be declared', {
        example: 'dear_orders',
      }),
      read: ({ ostm }) =>
        typeof ostm === 'string' || ostm === undefined || ostm === null
          ? { taken: ['ostm'], ...(ostm && { words: ostm }) }
          : undefined,
    },
    notified,
    computedBeside,
  ],
}

export const relation: Part = {
  id: 'relation',
  what: 'a relation',
  says: 'A relation that each event makes in the graph of the schema.',
  members: [
    member('from', 'sub', text, 'the attribute at which it starts', { example: 'customer' }),
    member('relation', 'rel', text, 'its name', { example: 'BOUGHT' }),
    member('to', 'obj', text, 'the attribute at which it ends', { example: 'item.sku' }),
    member('with', 'rel_props', names, 'properties of the relation', { example: ['price'] }),
    member('from_label', 'sub_label', text, "the label of the first node; the attribute's name where it is not said"),
    member('to_label', 'obj_label', text, "the label of the second node; the attribute's name where it is not said"),
    member('from_with', 'sub_props', names, 'properties of the first node'),
    member('to_with', 'obj_props', names, 'properties of the second node'),
    member(
      'from_latest',
      'sub_updt',
      flag,
      'whether the first node takes the latest properties; else it keeps the first',
      { silent: false },
    ),
    member('to_latest', 'obj_updt', flag, 'the same of the second node', { silent: false }),
  ],
}

export const node: Part = {
  id: 'node',
  what: 'a node',
  says: 'A node that each event makes in the graph of the schema, without a relation.',
  members: [
    member('of', 'sub', text, 'the attribute whose value it is', { example: 'customer' }),
    member('label', 'label', text, "its label; the attribute's name where it is not said"),
    member('with', 'props', names, 'its properties', { example: ['country'] }),
    member('latest', 'updt', flag, 'whether it takes the latest properties; else it keeps the first', {
      silent: false,
    }),
  ],
}

const filterName = ({ ostm, notf }: Wire): string | undefined => {
  if (typeof ostm === 'string' && ostm !== '') return ostm
  return notf === undefined || notf === null ? undefined : `notice_${notf}`
}

const ruleOrder = (what: string) => `the order of ${what} of one event, where it is not that of the schema`

export const stream: Part = {
  id: 'stream',
  what: 'a stream',
  says: 'Events of one kind.',
  members: [
    member(
      'kind',
      'type',
      kind,
      'posted, filtered (copies of a filter) or joined (rows of joins and patterns); it follows from what goes into the stream',
    ),
    member('keep', 'swsz', kept, 'how long events stay; 1d where it is not said', { example: '90d' }),
    member('strict', 'strict', flag, 'whether events with attributes that are not declared are refused', {
      example: true,
      silent: false,
    }),
    member('inputs', 'inpt', names, 'the streams that it comes from; it follows from what goes into the stream'),
    member('attributes', 'attr', named(attribute), 'what its events have', {
      example: { customer: 'text', price: { type: 'number', stats: ['summary'] } },
    }),
    member('compute', 'catr', named(computed), 'what Weir computes of each event', {
      example: { cents: { type: 'integer', is: 'round(price * 100)' } },
    }),
    member('lookups', 'refr', named(lookup), 'what an event gets from other streams, entities and tables', {
      example: { home: { from: 'table depot.customers', where: '_pk = this.customer', take: { country: 'home' } } },
    }),
    member('groups', 'gpby', list(groupBy), 'statistics by the values of attributes', {
      example: [{ by: ['country'], of: 'price', stats: ['summary'], every: '5m' }],
    }),
    member('filters', 'fltr', named(filter, { fallback: filterName }), 'copies of some events, and notifications', {
      example: { dear: { where: 'price > 100', into: 'dear_orders' } },
    }),
    member('graph', 'rels', list(relation), 'the relations that its events make', {
      example: [{ from: 'customer', relation: 'BOUGHT', to: 'item' }],
    }),
    member('nodes', 'node', list(node), 'the nodes that its events make', {
      example: [{ of: 'customer', with: ['country'] }],
    }),
    member('join_order', 'join_order', names, ruleOrder('the joins')),
    member('pattern_order', 'pattern_order', names, ruleOrder('the patterns')),
  ],
}

/** One entry of `enty` as a value of its entity. */
export const entityValue: Part = {
  id: 'value',
  what: 'a value of an entity',
  says: 'A statistic over all events of a key, and over those of windows.',
  members: [
    member('of', 'iatr', text, 'the attribute that is counted', { example: 'price' }),
    stats('opid', 'the statistics that are kept'),
    member(
      'windows',
      'window',
      windows,
      'the statistics are kept over the last so much time, too, by key: spent.1h.sum beside spent.sum',
      { example: ['1h', '1d'] },
    ),
    session,
    member('definition', 'name', text, 'values of one name and statistic are one definition on the wire'),
    member('buffer', 'doc_buf_factor', wholeNumber, 'taken for clients of the original; it changes nothing'),
    member('sync', 'sync_ts', wholeNumber, 'taken for clients of the original; it changes nothing'),
  ],
}

export const entityKey: Part = {
  id: 'entity_key',
  what: 'a key of an entity',
  says: 'The attributes that give a key; the values of several are joined by a colon.',
  members: [
    member('of', 'iatr', names, 'the attributes that give it', { example: ['country', 'city'] }),
    member('key_size', 'kysz', wholeNumber, 'taken for clients of the original; it changes nothing'),
  ],
}

/** The share of one stream in an entity; `by` and `values` are spread over entries of `enty`. */
export const feed: Part = {
  id: 'feed',
  what: 'an entity',
  says: 'The values that the events of one stream bring into an entity.',
  members: [
    member('of', 'of', text, 'the stream whose events are counted', { example: 'orders' }),
    member(
      'by',
      'by',
      { ...same({ type: ['string', 'array', 'object'] }) },
      'the key: an attribute, a list of them, or an object of names and the attributes that give them',
      { example: 'customer' },
    ),
    member(
      'values',
      'values',
      same({ type: 'object', additionalProperties: { $ref: '#/$defs/value' } }),
      'what is kept of each key',
      { example: { spent: { of: 'price', stats: ['summary'] } } },
    ),
  ],
}

const ofValue = (word: string, example: string) =>
  `belongs to a value of the entity: values: { spent: { of: price, ${word}: ${example} } }`

export const entity: Part = {
  id: 'entity',
  what: 'an entity',
  says: 'A row of statistics over all time for each key.',
  elsewhere: {
    session: ofValue('session', '30m'),
    windows: ofValue('windows', '[1h, 1d]'),
    stats: ofValue('stats', '[summary]'),
  },
  members: [
    ...feed.members,
    member(
      'feeds',
      'feeds',
      same({ type: 'array', items: { $ref: '#/$defs/feed' } }),
      'in place of of, by and values: several streams that bring values, or one that brings them by several definitions',
    ),
    member('keep', 'swsz', kept, 'taken for clients of the original; it changes nothing'),
    member('inputs', 'inpt', names, 'the streams that it comes from; it follows from of'),
    member('attributes', 'attr', named(attribute), 'the columns of a row; they follow from by and values'),
  ],
}

const taking = (says: string, example: Json) =>
  member('take', 'take', same({ type: ['array', 'object'] }), says, { example })
const sides = { first: ['customer', 'price'], then: ['amount'] }

const absence: Part = {
  id: 'absence',
  what: 'an absence',
  says: 'A row and a notification of an event that has found no partner, and that none has found, once the time for it is over.',
  members: [
    member('after', 'after', span, 'the time in which a partner may come; as within where it is not said', {
      example: '10m',
    }),
    member('into', 'ostm', text, 'the stream that gets a row of the event, later by after; it need not be declared', {
      example: 'unpaid_orders',
    }),
    notified,
  ],
}
const absentOf = (whose: string, example: Json) => member('absent', 'absent', object(absence), whose, { example })

/** The members of a side of a join or a pattern. */
const ofSide: readonly Member[] = [
  member('stream', 'stream', text, 'the stream of this side', { example: 'orders' }),
  member('only', 'fqry', where, 'only events that satisfy it take part', { example: 'price > 10' }),
  member(
    'where',
    'where',
    same({ type: ['string', 'object'] }),
    'the condition where an event of this side triggers, if it differs from that of the other',
  ),
  member('within', 'tloc', span, 'as of the join; both sides have the same'),
  computedBeside,
  notified,
  absentOf(
    'the row and the notification of an event of then that no event of first met; absent beside first and then is of first',
    {
      into: 'paid_for_nothing',
    },
  ),
]

const ending: readonly Member[] = [
  member(
    'times',
    'times',
    wholeNumber,
    'how often events have to join, one after the other, before there is a row; 1 where it is not said',
    { example: 3 },
  ),
  member('during', 'during', span, 'the time within which they do', { example: '10m' }),
  member('ends_where', 'ends_where', where, 'a condition that the last event satisfies', { example: 'price > 20' }),
]

export const joinSide: Part = {
  id: 'join_side',
  what: 'a side of a join',
  says: 'A stream that is joined; its name alone where there is nothing else to say.',
  short: 'stream',
  members: ofSide,
}
export const patternSide: Part = {
  id: 'pattern_side',
  what: 'a side of a pattern',
  says: 'A stream of a pattern; its name alone where there is nothing else to say.',
  short: 'stream',
  members: [...ofSide, ...ending],
}

export const matches = ['once', 'latest', 'latest_fitting', 'all'] as const
/** The pairs that a pattern of two streams can count. */
const counted = matches.filter((each) => each !== 'all')
const betweenWords = ['anything', 'nothing', 'nothing_of_the_key'] as const
const between = same({ enum: [...betweenWords] })
export const betweenCodes: readonly string[] = betweenWords

const into = member('into', 'ostm', text, 'the stream that gets the rows; it need not be declared', {
  example: 'paid_orders',
})
const within = member('within', 'tloc', span, 'how far the two events are apart at most; 1d where it is not said', {
  example: '1h',
})
const matchSays =
  'once: each event is in one row at most; latest: an event of then takes the latest one of first; latest_fitting: the latest one that satisfies where'
const matched = (among: readonly string[], says: string) =>
  member('match', 'match', same({ enum: [...among] }), says, { example: 'once' })

export const join: Part = {
  id: 'join',
  what: 'a join',
  says: 'Rows of two events that belong together, of two streams.',
  members: [
    member('first', 'first', object(joinSide), 'one stream; with latest the one whose events wait', {
      example: 'orders',
    }),
    member('then', 'then', object(joinSide), 'the other stream; with latest the one whose events make rows', {
      example: 'payments',
    }),
    member(
      'where',
      'where',
      same({ type: ['string', 'object'] }),
      'which events belong together: attributes as first.name and then.name, joined by and',
      { example: 'first._id = then.order' },
    ),
    matched(matches, `${matchSays}; all: every pair, whichever of the two comes first`),
    within,
    into,
    taking('what the row has of each event', sides),
    computedBeside,
    notified,
    absentOf('the row and the notification of an event of first that no event of then met', {
      into: 'unpaid_orders',
      notify: 9,
    }),
  ],
}

export const pattern: Part = {
  id: 'pattern',
  what: 'a pattern',
  says: 'Rows and notifications of events that follow each other: of one stream (in), or of two (first, then).',
  members: [
    member('in', 'in', text, 'the stream whose events follow each other', { example: 'orders' }),
    member('first', 'first', object(patternSide), 'in place of in: one of two streams'),
    member('then', 'then', object(patternSide), 'the other stream'),
    matched(counted, matchSays),
    member('alone', 'alone', flag, 'whether first alone declares the pattern on the wire', { silent: false }),
    member('where', 'fqry', where, 'only events that satisfy it take part; without each every such event is a match', {
      example: 'price > 10',
    }),
    member(
      'each',
      'each',
      same({ type: ['string', 'object'] }),
      'how an event follows the one before: attributes as this.name and before.name (of two streams as first.name and then.name), joined by and',
      { example: 'this.customer = before.customer and this.price > before.price' },
    ),
    member(
      'between',
      'between',
      between,
      'what may come between two events: anything, nothing (of the stream), or nothing_of_the_key',
      { example: 'anything', silent: 'anything' },
    ),
    ...ending,
    member(
      'skip',
      'skip',
      same({ enum: ['past'] }),
      'past: a match uses its events up, and the next run of the key begins behind it',
      { example: 'past' },
    ),
    within,
    into,
    taking(
      'what the row has: attributes of the event, or {this: of the event, before: of the one before, first: of the first one of the run, over: count, or sum., min., max., avg. of an attribute, over the run}; of two streams {first, then}',
      { this: ['customer', 'price'], before: ['price'] },
    ),
    computedBeside,
    notified,
    absentOf(
      'the row and the notification of an event that none followed; of two streams, of an event of first that none of then met',
      {
        after: '1m',
        into: 'silent_devices',
      },
    ),
  ],
}

const notice: Part = {
  id: 'notification',
  what: 'a notification',
  says: 'The template of a notification, which the schema brings along.',
  members: [
    member('number', 'notifid', wholeNumber, 'its number, which notify names', { example: 7 }),
    member('name', 'name', text, 'its name', { example: 'dear order' }),
    member('rule', 'rule', text, 'a text that is kept and shown'),
    member('subject', 'subject', text, 'the subject of its mails', { example: 'a dear order' }),
    member('message', 'msg', text, 'the text of its mails'),
    member('pause', 'freq', { ...duration({ most: 1e9, isWhole: true }) }, 'the least time between two sends', {
      example: '1m',
    }),
    member('priority', 'pri', wholeNumber, 'the least goes first', { example: 1 }),
    member('mail_to', 'mailto', names, 'the addresses that get mails', { example: ['ops@example.org'] }),
    member('mail_from', 'mailfrom', text, 'the sender of its mails'),
    member('post_to', 'endpoints', names, 'the addresses that get webhooks', { example: ['https://example.org/hook'] }),
    member('tags', 'tags', names, 'words to find it by'),
    member('secret', 'secret', text, 'signs its webhooks; made where it is not said'),
  ],
}

const tables = (part: Part) => same({ type: 'object', additionalProperties: { $ref: `#/$defs/${part.id}` } })
const rules = (part: Part) =>
  same({
    type: 'object',
    additionalProperties: {
      anyOf: [{ $ref: `#/$defs/${part.id}` }, { type: 'array', items: { $ref: `#/$defs/${part.id}` } }],
    },
  })

export const schema: Part = {
  id: 'definition',
  what: 'a definition',
  says: 'A schema of Weir, in words.',
  members: [
    member('schema', 'schema', text, 'its name', { example: 'shop' }),
    member('streams', 'streams', tables(stream), 'its streams', {
      example: { orders: { attributes: { customer: 'text' } } },
    }),
    member('entities', 'entities', tables(entity), 'its entities: statistics over all time by key', {
      example: { customers: { of: 'orders', by: 'customer', values: { spent: { of: 'price', stats: ['summary'] } } } },
    }),
    member('joins', 'joins', rules(join), 'its joins; a list where several have one name', {
      example: {
        paid: {
          first: 'orders',
          then: 'payments',
          where: 'first._id = then.order',
          match: 'once',
          into: 'paid_orders',
        },
      },
    }),
    member('patterns', 'patterns', rules(pattern), 'its patterns; a list where several have one name', {
      example: { rising: { in: 'orders', each: 'this.price > before.price', times: 3, into: 'sprees' } },
    }),
    member(
      'notifications',
      'notifs',
      list(notice),
      'templates of notifications that come along; they are registered, and not shown again',
    ),
  ],
}

/** Every object of a definition. */
export const parts: readonly Part[] = [
  schema,
  stream,
  attribute,
  computed,
  lookup,
  groupBy,
  filter,
  relation,
  node,
  entity,
  feed,
  entityValue,
  entityKey,
  sessionPart,
  join,
  joinSide,
  pattern,
  patternSide,
  absence,
  notice,
]
