/**
 * The wire form of a schema in one spelling: codes as names, lists as lists, texts of JSON opened, defaults and members
 * that say nothing left out. Written for the tests of words alone, from the documents of the wire.
 */
import { parse } from 'lossless-json'

type Wire = { readonly [member: string]: unknown }
type Rule = (value: unknown, object: Wire) => unknown

const isWire = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value)
const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isWire(value) && Object.keys(value).length === 0)

const number = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
const list = (value: unknown): unknown => (Array.isArray(value) ? value.flat() : [value])
const set = (value: unknown): unknown => [...new Set(list(value) as string[])].sort()
const flag = (value: unknown): unknown => (value === 1 || value === true || value === '1' ? true : undefined)
const text = (value: unknown): unknown => String(value)
const unless =
  (silent: unknown, rule: Rule = (value) => value): Rule =>
  (value, object) => {
    const known = rule(value, object)
    return known === silent ? undefined : known
  }
const code =
  (names: Readonly<Record<string, string>>, silent?: string): Rule =>
  (value) => {
    const said = String(value).trim().toLowerCase()
    const known = names[said] ?? said
    return known === silent ? undefined : known
  }

const types = code({ 3: 'object', 5: 'string', 9: 'long', 11: 'double', 12: 'bool', str: 'string', boolean: 'bool' })
const kinds = code({ 1: 'input', 2: 'filter', 3: 'join', 4: 'entity', pattern: 'join' })
const statistic = code(
  { 0: 'none', 1: 'count', 2: 'ucount', 3: 'rstat', 4: 'quantiles', 5: 'last', 6: 'first', 7: 'topk' },
  'none',
)
const statistics: Rule = (value, object) => {
  const known = (Array.isArray(value) ? value : [value]).flatMap((one) => statistic(one, object) ?? [])
  return known.length > 0 ? known : undefined
}
const present = code({ 1: 'add', 2: 'replace', 3: 'add if missing' }, 'add')
const operations: Readonly<Record<string, string>> = {
  1: 'copy',
  2: 'add',
  3: 'mul',
  4: 'div',
  5: 'percent',
  6: 'sub',
  7: 'upper',
  8: 'lower',
  9: 'copy_val',
  13: 'math_exp',
  14: 'ts',
  15: 'year',
}
const comparisons: Readonly<Record<string, string>> = {
  0: 'gt',
  1: 'gte',
  2: 'lt',
  3: 'lte',
  4: 'eq',
  5: 'ne',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '=': 'eq',
  '!=': 'ne',
}
const comparison = code(comparisons)

const object =
  (rules: Readonly<Record<string, Rule>>, finish: (wire: Record<string, unknown>) => unknown = (wire) => wire) =>
  (value: unknown): unknown => {
    if (!isWire(value)) return value
    const out: Record<string, unknown> = {}
    for (const [member, each] of Object.entries(value)) {
      const rule = Object.hasOwn(rules, member) ? rules[member] : undefined
      const known = rule ? (isEmpty(each) ? undefined : rule(each, value)) : each
      if (known !== undefined && !(rule && isEmpty(known))) out[member] = known
    }
    return finish(out)
  }
const each =
  (rule: Rule): Rule =>
  (value, context) =>
    (Array.isArray(value) ? value : [value]).map((one) => rule(one, context))

const units: Readonly<Record<string, number>> = {
  minute: 60,
  m: 60,
  hour: 3600,
  h: 3600,
  d: 86400,
  day: 86400,
  w: 604800,
  week: 604800,
  month: 2592000,
  y: 31536000,
  year: 31536000,
}
const functions = ['avg', 'sum', 'std', 'min', 'max', 'count']
const margins = ['more', 'less', 'absmore', 'absless']
/** A moving value in one spelling. */
function moving(said: string): string {
  const [, func = '', inner = ''] = /^(\w+)\s*\(([^()]*)\)$/.exec(said.trim().toLowerCase()) ?? []
  const [path = '', time = '', margin = ''] = inner.split(',').map((part) => part.trim())
  const original = /\(\s*([^,\s]+)/.exec(said)?.[1] ?? path
  const [unit = '', count = ''] = time.split('_')
  const word = func === 's' ? 'sum' : functions.find((name) => name.startsWith(func))
  const [kind = '', amount = ''] = margin.split('_')
  const found = kind === 'm' ? 'more' : margins.find((name) => name.startsWith(kind))
  const signed =
    margin === ''
      ? ''
      : Number(amount) === 0
        ? `${found?.startsWith('abs') ? 'abs' : ''}0`
        : `${found} ${Number(amount)}`
  return `${word} ${original} ${Number(count) * (units[unit] ?? 0)} ${signed}`
}
const isMoving = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]+\s*\(.*\)$/is.test(value.trim())

const query: Rule = (fqry) => {
  if (!isWire(fqry)) return fqry
  const readNumber = (digits: string) => (/^-?\d{16,}$/.test(digits) ? BigInt(digits) : Number(digits))
  const body = (typeof fqry.name === 'string' ? parse(fqry.name, undefined, readNumber) : fqry.name) as Wire
  const type = Number(code({ values: '1', attributes: '2', moving: '3' })(body.qtype ?? 1, {}))
  /** Whether a text is an attribute or a statistic is told by the type of the query; what is neither is marked. */
  const value = (said: unknown): unknown => {
    if (typeof said !== 'string') return said
    if (type > 1 && said.startsWith('$')) return said
    return type === 3 && isMoving(said) ? moving(said) : `text ${said}`
  }
  const key = (said: unknown): unknown => (type === 3 && isMoving(said) ? moving(said) : said)
  return {
    query: (body.query as Wire[]).map((part, index) =>
      index % 2 === 1
        ? { ...part, joinop: code({ 0: 'and', 1: 'or' })(part.joinop, part) }
        : { ...part, key: key(part.key), cmp_op: comparison(part.cmp_op, part), val: value(part.val) },
    ),
  }
}

const pair = object(
  { cond: list, args: (value) => list(value) as unknown, opid: text, opnm: text, cmp: list, seq: unless(0, number) },
  ({ opid, opnm, cmp, ...rest }) => {
    const operation = String(opid ?? opnm ?? 'attr').toLowerCase()
    const known = { 11: 'attr', 12: 'fixed', 13: 'math_exp', 14: 'hybrid' }[operation] ?? operation
    const cond = rest.cond as unknown[]
    const args = rest.args as unknown[]
    return {
      ...rest,
      args: known === 'math_exp' ? args.map(String) : args,
      cmp: cond.map((_, index) => comparison((cmp as unknown[] | undefined)?.[index] ?? 'eq', {})),
    }
  },
)

const ofAttribute = { stat: statistics, gran: number, pk: flag, required: flag, kysz: number, sidx: number } as const
const attributes =
  (prefix: string): Rule =>
  (value) =>
    (value as Wire[]).map((attribute) => {
      const name = String(attribute.name)
      const full = prefix === '' || name.startsWith(prefix) ? name : `${prefix}${name}`
      return object({ ...ofAttribute, type: types, fields: attributes(`${full}.`) })({ ...attribute, name: full })
    })

const computed = object(
  {
    ...ofAttribute,
    type: types,
    iatr: (value) => list(value),
    fnr: present,
    order: unless(0, number),
    seq: flag,
    attr_type: code({ 1: 'num', 2: 'string', str: 'string', 3: 'hybrid', hyb: 'hybrid' }),
    exp_fmt: code({ 0: 'svm', 1: 'csv', 3: 'json' }),
    prob: text,
    lag: number,
  },
  ({ opid, opnm, ...rest }) => {
    const said = String(opid ?? opnm).toLowerCase()
    return { ...rest, operation: operations[said] ?? said }
  },
)

const reference = object({ iatr: list, ratr: list, jqry: pair, stat: statistics, gran: number, fnr: present })
const groupBy = object({
  gpat: list,
  iatr: list,
  stat: statistics,
  gran: number,
  swsz: unless(0, number),
  kysz: number,
  session: number,
  smax: number,
  notf: number,
})
const key = object({ iatr: list, kysz: number }, ({ type: _, iatr, ...rest }) => ({
  ...rest,
  iatr: iatr ?? [rest.name],
}))
const entity = object(
  {
    ...{ opid: statistics, ratr: list, iatr: list, pkatr: each(key), doc_buf_factor: number, sync_ts: number },
    ...{ session: number, smax: number, notf: number },
  },
  ({ name, ...rest }) => {
    const results = rest.ratr as unknown[]
    const isImplied = name === undefined || name === rest.rstm || (results.length === 1 && name === results[0])
    return { ...rest, ...(!isImplied && { name }) }
  },
)
const relation = object({ sub_props: list, obj_props: list, rel_props: list, sub_updt: flag, obj_updt: flag })
const node = object({ props: list, updt: flag })
const filter = object({ notf: number, fqry: query, fatr: list, catr: each(computed) }, ({ name, ...rest }) => ({
  ...rest,
  name: name ?? rest.ostm ?? `notice_${rest.notf}`,
}))
const condition = object({ name: (value) => String(value).toLowerCase(), val: number, fqry: query })
const places = ['numt', 'dur', 'cqry']
const rule = object({
  notf: number,
  type: number,
  tloc: unless(0, number),
  absent: object({ after: number }),
  iatr: set,
  ratr: set,
  jqry: pair,
  fqry: query,
  catr: each(computed),
  cond: (value) =>
    (each(condition)(value, {}) as Wire[]).toSorted(
      (left, right) => places.indexOf(String(left.name)) - places.indexOf(String(right.name)),
    ),
})

export const stream = object({
  type: kinds,
  swsz: number,
  inpt: list,
  strict: flag,
  attr: attributes(''),
  catr: each(computed),
  refr: each(reference),
  gpby: each(groupBy),
  enty: (value) =>
    (each(entity)(value, {}) as Wire[]).toSorted((left, right) =>
      String(left.rstm) < String(right.rstm) ? -1 : String(left.rstm) > String(right.rstm) ? 1 : 0,
    ),
  rels: each(relation),
  node: each(node),
  fltr: each(filter),
  join: each(rule),
  cepq: each(rule),
})

/** `isComplete`: with the members of derived streams that follow from others, `inpt` and the columns of entities. */
export function canonical(wire: Wire): unknown {
  const { streams, ...rest } = wire
  return {
    ...rest,
    streams: (streams as Wire[])
      .map((each) => stream(each) as Wire)
      .toSorted((left, right) => (String(left.name) < String(right.name) ? -1 : 1)),
  }
}
