/**
 * Random schemas on the wire that can be registered, with every member that there is, in the spellings that clients have:
 * codes as numbers, names and texts, lists of one without their list, defaults said and left out, members that are unknown.
 */
import type { Random } from './random.ts'

type Wire = { [member: string]: unknown }

const extraValues = [1, 'x', true, null, { a: [1, { b: 2 }] }, [], ['y'], 12345678901234567890n]
const texts = [
  'a',
  '$price',
  "it's",
  'two "quotes"',
  'back\\slash',
  'line\nend',
  'ü',
  '10',
  ' 7 ',
  'true',
  '',
  'avg(x)',
  'and',
  '5m',
  'a = 1',
]

/** Names that are words of one form or the other, or of JavaScript. */
const oddNames = [
  'keep',
  'type',
  'attributes',
  'streams',
  'first',
  'then',
  'before',
  'extra',
  'constructor',
  'swsz',
  'and',
  'or',
  'like',
  'is',
  'min',
  'round',
  'text',
  'count',
  'forever',
  'yes',
  'no',
  'on',
  'y',
  'n',
  'anything',
  'toString',
  'where',
  'avg',
]

export function randomSchema(random: Random): Wire {
  const { pick, chance, whole } = random
  let made = 0
  const fresh = (prefix: string): string => {
    made++
    return chance(0.25) ? `${pick(oddNames)}_${made}` : `${prefix}${made}`
  }
  const some = <Item>(items: readonly Item[], most = 3): Item[] => items.filter(() => chance(0.6)).slice(0, most)
  const atLeastOne = <Item>(items: readonly Item[]): Item[] => {
    const list = some(items)
    return list.length > 0 ? list : [pick(items)]
  }
  const maybe = (probability: number, part: () => Wire): Wire => (chance(probability) ? part() : {})
  const unknown = (): Wire => maybe(0.08, () => ({ [`x_${pick(['a', 'keep', 'note'])}`]: pick(extraValues) }))
  const soleOrList = (list: readonly unknown[]): unknown => (list.length === 1 && chance(0.3) ? list[0] : list)
  const spelled = ([number, name]: readonly [number | null, string]): unknown =>
    number === null ? name : pick([number, name, String(number), name.toLowerCase()])
  const flag = (yes: boolean): unknown => pick(yes ? [1, true, '1'] : [0, false, '0'])
  const maybeFlag = (name: string, probability = 0.15): Wire =>
    maybe(probability, () => ({ [name]: flag(chance(0.6)) }))
  const unused = (name: string): Wire => maybe(0.1, () => ({ [name]: whole(0, 100) }))
  const label = () => pick(['customer', 'A Person', 'item/x', 'BOUGHT', "o'k"])

  type Type = 'STRING' | 'LONG' | 'DOUBLE' | 'BOOL' | 'OBJECT'
  const typeCodes: Readonly<Record<Type, number>> = { STRING: 5, LONG: 9, DOUBLE: 11, BOOL: 12, OBJECT: 3 }
  type Attribute = { readonly name: string; readonly type: Type; readonly isSummary: boolean }

  const literal = (type: Type): unknown => {
    if (type === 'STRING') return pick(texts)
    if (type === 'BOOL') return chance(0.5)
    return pick([0, 1, -5, 2.5, 1e21, 1e-7, -0.25, '10', '-3.5', 9007199254740993n])
  }

  /** One statistic, or that and others, with levels of quantiles. */
  const kept = (member: 'stat' | 'opid', first: readonly [number, string], isNumber: boolean): Wire => {
    if (chance(0.6)) return { [member]: spelled(first) }
    const others = [[5, 'LAST'], [6, 'FIRST'], [7, 'TOPK'], ...(isNumber ? [[4, 'QUANTILES']] : [])] as [
      number,
      string,
    ][]
    const chosen = [first, ...some(others)]
    const levels = maybe(chosen.some(([number]) => number === 4) ? 0.6 : 0, () => ({
      q: pick([[0.5, 0.95], [0.999, 0.25], [0.05], [0.5, 0.9, 0.95, 0.99]]),
    }))
    const top = maybe(chosen.some(([number]) => number === 7) ? 0.6 : 0, () => ({ k: pick([1, 10, 100, 25]) }))
    return { [member]: chosen.map(spelled), ...levels, ...top }
  }

  const statistic = (type: Type): { readonly wire: Wire; readonly isSummary: boolean } => {
    if (!chance(0.5)) return { wire: maybe(0.1, () => ({ stat: pick([0, 'NONE']) })), isSummary: false }
    const [number, name] = pick(
      type === 'LONG' || type === 'DOUBLE'
        ? ([
            [1, 'COUNT'],
            [2, 'UCOUNT'],
            [3, 'RSTAT'],
            [3, 'RSTAT'],
          ] as const)
        : ([
            [1, 'COUNT'],
            [2, 'UCOUNT'],
          ] as const),
    )
    const isNumber = type === 'LONG' || type === 'DOUBLE'
    return {
      wire: {
        ...kept('stat', [number, name], isNumber),
        ...maybe(0.5, () => ({ gran: pick([60, 300, 3600, 90, 86400, '60', 7]) })),
      },
      isSummary: name === 'RSTAT',
    }
  }

  const limits = (type: Type): Wire => {
    const isNumber = type === 'LONG' || type === 'DOUBLE'
    return {
      ...maybeFlag('required'),
      ...maybe(isNumber ? 0.15 : 0, () => ({ min: pick([0, -3]) })),
      ...maybe(isNumber ? 0.15 : 0, () => ({ max: type === 'LONG' ? pick([100, 9007199254740993n]) : 99.5 })),
      ...maybe(type === 'STRING' ? 0.1 : 0, () => ({ values: atLeastOne(texts) })),
      ...maybe(type === 'BOOL' ? 0.1 : 0, () => ({ values: [true] })),
    }
  }

  const attributes = (isPosted: boolean): { readonly wire: Wire[]; readonly known: Attribute[] } => {
    const wire: Wire[] = []
    const known: Attribute[] = []
    for (const type of [
      'STRING',
      'DOUBLE',
      ...atLeastOne(['STRING', 'LONG', 'DOUBLE', 'BOOL', 'OBJECT'] as const),
    ] as const) {
      const name = fresh('a')
      const { wire: stat, isSummary } = statistic(type)
      known.push({ name, type, isSummary })
      const fields =
        type === 'OBJECT' && chance(0.8)
          ? [fresh('f'), fresh('f')].map((field) => {
              known.push({ name: `${name}.${field}`, type: 'LONG', isSummary: false })
              return { name: chance(0.5) ? field : `${name}.${field}`, type: spelled([9, 'LONG']), ...unknown() }
            })
          : undefined
      wire.push({
        name,
        type: spelled([typeCodes[type], type]),
        ...(type === 'OBJECT' ? maybe(0.2, () => ({ stat: 'COUNT' })) : stat),
        ...(isPosted ? limits(type) : {}),
        ...unused('kysz'),
        ...unused('sidx'),
        ...unused('ridx'),
        ...(type === 'OBJECT' ? {} : maybeFlag('pk', 0.05)),
        ...(fields && { fields }),
        ...unknown(),
      })
    }
    return { wire, known }
  }

  const ofType = (known: readonly Attribute[], ...types: Type[]) => known.filter(({ type }) => types.includes(type))

  const computed = (known: readonly Attribute[], isPosted: boolean): Wire[] => {
    const numbers = ofType(known, 'DOUBLE').map(({ name }) => name)
    const strings = ofType(known, 'STRING').map(({ name }) => name)
    const [number, string] = [pick(numbers), pick(strings)]
    const rest = () => ({
      ...maybe(0.2, () => ({
        fnr: spelled(
          pick([
            [1, 'ADD'],
            [2, 'REPLACE'],
            [3, 'add if missing'],
          ] as const),
        ),
      })),
      ...maybe(0.2, () => ({ order: pick([0, 1, -2, 2.5]) })),
      ...unknown(),
    })
    const operation = (n: number | null, name: string): Wire =>
      n === null || chance(0.6)
        ? { opnm: pick([name, name.toLowerCase()]) }
        : chance(0.5)
          ? { opid: n, opnm: 'COPY' }
          : { opid: String(n) }
    const formulas = [
      `$${number} * 2`,
      `ROUND($${number}*100) / ( 3 + $${number} )`,
      `-$"${number}" + 1e3`,
      '5',
      `min($${number},2)`,
      `$${number}`,
      `IF($${number} > 2 and not $${number} = 3, 1, -$${number})`,
      `coalesce($${number}, length('it''s $5, "a" (b'))`,
    ]
    const made = [
      { name: fresh('c'), type: 11, ...operation(13, 'MATH_EXP'), iatr: soleOrList([pick(formulas)]) },
      { name: fresh('c'), type: 'LONG', ...operation(15, 'YEAR'), iatr: ['_pk'] },
      { name: fresh('c'), type: 5, ...operation(9, 'COPY_VAL'), iatr: [pick(texts)] },
      { name: fresh('c'), type: 5, ...operation(2, 'ADD'), iatr: [string, string] },
      { name: fresh('c'), type: 11, ...operation(3, 'MUL'), iatr: [number, pick([2, 2.5, -3])] },
      { name: fresh('c'), type: 'STRING', ...operation(1, 'COPY'), iatr: soleOrList([string]) },
      {
        name: fresh('c'),
        type: 5,
        ...operation(7, 'UPPER'),
        iatr: [string],
        ...maybe(isPosted ? 0.3 : 0, () => ({ seq: flag(true) })),
        ...(isPosted ? limits('STRING') : {}),
      },
    ]
    const predicted = {
      name: fresh('p'),
      type: 11,
      ...operation(null, 'PRED'),
      model: 'm1',
      iatr: [number, string],
      ...maybe(0.5, () => ({ algo: pick(['SVM', 'lin']) })),
      ...maybe(0.5, () => ({
        attr_type: spelled(
          pick([
            [1, 'NUM'],
            [2, 'STR'],
            [3, 'HYB'],
          ] as const),
        ),
      })),
      ...maybe(0.2, () => ({ exp_fmt: pick([0, 'CSV', 3]) })),
      ...maybe(0.3, () => ({ prob: pick(['fraud', 1]) })),
    }
    const series = {
      name: fresh('p'),
      type: 11,
      opnm: 'PRED',
      model: 'm2',
      iatr: [number],
      lag: whole(2, 9),
      ...maybe(0.5, () => ({ uid: string })),
    }
    const total = fresh('c')
    const fold = {
      ...{ name: total, type: 11, ...operation(null, 'FOLD'), iatr: [`$${total} + $${number}`], start: pick([0, 1.5]) },
      ...maybe(0.7, () => ({ key: [string] })),
    }
    return some([...made, ...(isPosted ? [predicted, series, fold] : [])]).map((each) => ({
      ...each,
      ...statistic(each.type === 11 ? 'DOUBLE' : 'STRING').wire,
      ...rest(),
    }))
  }

  type Moving = { readonly stream: string; readonly attribute: string }

  const condition = (known: readonly Attribute[], moving: readonly Moving[]): unknown => {
    const plain = ofType(known, 'STRING', 'LONG', 'DOUBLE', 'BOOL')
    const qtype = moving.length > 0 && chance(0.3) ? 3 : whole(1, 2)
    const statisticText = () => {
      const { stream, attribute } = pick(moving)
      const margin = chance(0.6)
        ? `, ${pick(['more_10', 'LESS_5', 'absm_2.5', 'ABSLESS_3', 'm_0', 'less_150', 'MORE_0.125'])}`
        : ''
      return `${pick(['avg', 'SUM', 's', 'std', 'min', 'Max', 'count', 'a'])}( ${stream}.${attribute} , ${pick(['m_5', 'HOUR_1', 'd_2', 'w_1', 'MONTH_1', 'y_1', 'minute_90'])}${margin})`
    }
    const comparison = (): Wire => {
      const { name, type } = pick(plain)
      const cmp_op = spelled(
        pick([
          [0, 'GT'],
          [1, 'GTE'],
          [2, 'LT'],
          [3, 'LTE'],
          [4, 'EQ'],
          [5, 'NE'],
        ] as const),
      )
      if (qtype === 3 && chance(0.6) && (type === 'DOUBLE' || type === 'LONG'))
        return { key: name, cmp_op, val: statisticText() }
      if (qtype === 3 && chance(0.2)) return { key: statisticText(), cmp_op, val: pick([5, '7', 2.5]) }
      const fitting = qtype > 1 && type !== 'BOOL' ? plain.filter((each) => each.type === type) : []
      if (fitting.length > 0 && chance(0.5)) return { key: name, cmp_op, val: `$${pick(fitting).name}` }
      const value = literal(type)
      const isMarked = qtype > 1 && typeof value === 'string' && (value.startsWith('$') || value.includes('('))
      return { key: name, cmp_op, val: isMarked ? 'b' : value, ...maybe(0.02, () => ({ note: 1 })) }
    }
    const query: Wire[] = [comparison()]
    while (chance(0.5) && query.length < 9)
      query.push(
        {
          joinop: spelled(
            pick([
              [0, 'AND'],
              [1, 'OR'],
            ] as const),
          ),
        },
        comparison(),
      )
    const body = { query, ...(qtype === 1 && chance(0.5) ? {} : { qtype: pick([qtype, String(qtype)]) }) }
    const isText =
      chance(0.5) && !JSON.stringify(query, (_, each) => (typeof each === 'bigint' ? 'big' : each)).includes('big')
    return { name: isText ? JSON.stringify(body) : body, ...maybe(0.7, () => ({ type: 1 })) }
  }

  /** `jqry` between attributes of the same type. */
  const pair = (own: readonly Attribute[], other: readonly Attribute[], kind: 'mirror' | 'any' = 'any'): Wire => {
    const mine = pick(ofType(own, 'STRING', 'DOUBLE'))
    const theirs = pick(other.filter(({ type }) => type === mine.type))
    const number = pick(ofType(own, 'DOUBLE'))
    const otherNumber = pick(ofType(other, 'DOUBLE'))
    const form = kind === 'mirror' ? 0 : whole(0, 3)
    const cmp = maybe(0.5, () => ({ cmp: [pick(['EQ', 4, 'GT', '!=', 'LTE'])] }))
    if (form === 1)
      return {
        cond: soleOrList([theirs.name]),
        args: [mine.type === 'STRING' ? pick(texts) : pick([5, '7.5'])],
        opid: spelled([12, 'FIXED']),
        ...cmp,
      }
    if (form === 2)
      return {
        cond: [otherNumber.name, otherNumber.name],
        args: [`$${number.name} * 2`, pick([`$${number.name}`, `($${number.name})`, '5', 7, `(($${number.name}))`])],
        opnm: 'MATH_EXP',
        ...cmp,
      }
    if (form === 3)
      return { cond: [theirs.name, otherNumber.name], args: [mine.name, pick([3, '2.5'])], opid: 14, ...cmp }
    return {
      cond: [theirs.name, otherNumber.name],
      args: [mine.name, number.name],
      ...maybe(0.5, () => ({ opid: pick([11, '11']) })),
      ...maybe(0.5, () => ({ cmp: [4, pick(['GT', 'lt', null])] })),
    }
  }

  const ends: Readonly<Record<string, string>> = { EQ: 'EQ', GT: 'LT', lt: 'GT' }
  /** The condition as the other side says it. */
  const mirrored = (jqry: Wire): Wire => {
    const [cond, args] = [jqry.args as unknown[], jqry.cond as unknown[]]
    const cmp = jqry.cmp as (string | number | null)[] | undefined
    return {
      cond,
      args,
      opid: 11,
      ...(cmp && { cmp: cmp.map((each) => (each === 4 || each === null ? 'EQ' : (ends[each] ?? each))) }),
    }
  }

  const streams: Wire[] = []
  const posted = Array.from({ length: whole(1, 3) }, () => {
    const { wire, known } = attributes(true)
    const stream: Wire = {
      name: fresh('s'),
      type: spelled([1, 'input']),
      ...maybe(0.6, () => ({ swsz: pick([0, 3600, 86400, '600', 90]) })),
      ...maybe(0.4, () => ({ inpt: [] })),
      ...maybe(0.1, () => ({ strict: flag(chance(0.5)) })),
      attr: wire,
      ...unknown(),
    }
    return { stream, known, name: String(stream.name) }
  })
  const moving = posted.flatMap(({ name, known }) =>
    known.filter(({ isSummary }) => isSummary).map((each): Moving => ({ stream: name, attribute: each.name })),
  )
  const later: Wire[] = []
  /** A stream that something goes into. */
  const target = (type: number, kind: string, from: readonly string[]): string => {
    const name = fresh('t')
    later.push({
      name,
      type: spelled([type, kind]),
      ...maybe(0.4, () => ({ swsz: pick([0, 3600]) })),
      ...maybe(0.6, () => ({ inpt: chance(0.9) ? from : [] })),
      ...maybe(0.2, () => ({ attr: [] })),
      ...unknown(),
    })
    return name
  }
  /** The row and the notification of an event that met no other. */
  const absent = (from: readonly string[]) =>
    maybe(0.3, () => ({
      absent: {
        ...maybe(0.6, () => ({ after: pick([60, '90.5', 0]) })),
        ...pick([{ ostm: target(3, 'join', from) }, { notf: whole(0, 9) }]),
        ...unknown(),
      },
    }))
  const notify = () => maybe(0.2, () => ({ notf: whole(0, 30) }))
  const beside = (known: readonly Attribute[]) =>
    maybe(0.3, () => ({
      catr: [{ name: fresh('d'), type: 11, opnm: 'MUL', iatr: [pick(ofType(known, 'DOUBLE')).name, 2], ...unknown() }],
    }))
  const overRow = () =>
    maybe(0.3, () => ({ catr: [{ name: fresh('d'), type: 9, opnm: 'SUB', iatr: ['_pk', '_jpk1'], ...unknown() }] }))
  const lists = (first: readonly string[], then: readonly string[]) => ({
    iatr: soleOrList(first),
    ratr: soleOrList(then),
  })
  /** Values of a run: of its first event, then over all of it. */
  const ofRun = (known: readonly Attribute[]) => {
    const numbers = ofType(known, 'LONG', 'DOUBLE').map(({ name }) => name)
    return chance(0.6)
      ? []
      : [
          ...some(numbers).map((name) => `first.${name}`),
          ...some(['count', ...numbers.map((name) => `${pick(['sum', 'min', 'avg'])}.${name}`)]),
        ]
  }
  const push = (stream: Wire, member: string, entry: Wire) => {
    stream[member] = [...((stream[member] as Wire[] | undefined) ?? []), entry]
  }

  for (const { stream, known, name } of posted) {
    const catr = computed(known, true)
    if (catr.length > 0) stream.catr = catr
    const scalars = ofType(known, 'STRING', 'LONG', 'DOUBLE', 'BOOL').map((each) => each.name)
    const groups = some([1, 2]).map(() => ({
      gpat: soleOrList(atLeastOne(scalars)),
      iatr: chance(0.2) ? [pick(scalars)] : pick(scalars),
      stat: spelled(
        pick([
          [1, 'COUNT'],
          [2, 'UCOUNT'],
        ] as const),
      ),
      ...maybe(0.5, () => ({ gran: pick([60, 300]) })),
      ...maybe(0.2, () => ({ swsz: pick([0, 7200]) })),
      ...unused('kysz'),
      ...unknown(),
    }))
    const distinct = new Map(groups.map((group) => [JSON.stringify([[group.gpat].flat(), [group.iatr].flat()]), group]))
    if (distinct.size > 0) stream.gpby = [...distinct.values()].slice(0, 1)
    if (chance(0.4))
      stream.rels = some([1, 2]).map(() => ({
        sub: pick(scalars),
        obj: pick(scalars),
        rel: label(),
        ...maybe(0.3, () => ({ sub_label: label() })),
        ...maybe(0.3, () => ({ obj_label: label() })),
        ...maybe(0.3, () => ({ sub_props: soleOrList(atLeastOne(scalars)) })),
        ...maybe(0.3, () => ({ obj_props: some(scalars) })),
        ...maybe(0.3, () => ({ rel_props: some(scalars) })),
        ...maybeFlag('sub_updt'),
        ...maybeFlag('obj_updt'),
        ...unknown(),
      }))
    if (chance(0.3))
      stream.node = soleOrList([
        {
          sub: pick(scalars),
          ...maybe(0.5, () => ({ label: label() })),
          ...maybe(0.5, () => ({ props: some(scalars) })),
          ...maybeFlag('updt'),
          ...unknown(),
        },
      ])
    if (chance(0.5))
      stream.fltr = soleOrList(
        some([1, 2, 3]).map(() => {
          const into = chance(0.8) ? target(2, 'filter', [name]) : undefined
          return {
            ...maybe(into === undefined ? 1 : 0.6, () => ({ name: fresh('w') })),
            fqry: condition(known, moving),
            ...maybe(0.6, () => ({ fatr: soleOrList(atLeastOne(scalars)) })),
            ...(into === undefined ? { notf: whole(0, 9) } : { ostm: into, ...notify(), ...beside(known) }),
            ...unknown(),
          }
        }),
      )
    if (chance(0.5)) {
      const source = pick(posted)
      const free = [fresh('r'), fresh('r')]
      const chosen = ofType(source.known, 'STRING', 'DOUBLE', 'LONG')
        .slice(0, 2)
        .map((each) => each.name)
      stream.refr = soleOrList([
        {
          name: fresh('l'),
          iatr: free.slice(0, chosen.length),
          rstm: source.name,
          ratr: chosen,
          jqry: { ...pair(known, source.known), ...maybe(0.2, () => ({ seq: 0 })) },
          ...maybe(0.3, () => ({ stat: pick([1, 'UCOUNT', 0]) })),
          ...maybe(0.2, () => ({ gran: 300 })),
          ...maybe(0.3, () => ({ fnr: pick([1, 2, '3', 'replace']) })),
          ...unknown(),
        },
        ...(chance(0.4)
          ? [
              {
                name: fresh('l'),
                iatr: [fresh('r'), fresh('r'), fresh('r')],
                rstm: 'depot.things',
                ratr: pick([
                  ['a.b', 'a.b', '0'],
                  ['a', 'b c', '_pk'],
                ]),
                jqry: { cond: [pick(['_pk', 'x.y', 'odd name'])], args: [pick(ofType(known, 'STRING')).name] },
              },
            ]
          : []),
      ])
    }
    for (let rule = whole(0, 2); rule > 0; rule--) {
      const into = chance(0.8) ? { ostm: target(3, 'join', [name]), ...notify() } : { notf: whole(0, 9) }
      const isRun = chance(0.7)
      push(stream, 'cepq', {
        name: fresh('q'),
        ...maybe(0.5, () => ({ tloc: pick([60, '3600.5', 0, 0.25]) })),
        ...(isRun
          ? { type: pick([1, '1']), rstm: name, ...lists(some(scalars), [...some(scalars), ...ofRun(known)]) }
          : { type: 6, iatr: soleOrList(atLeastOne(scalars)) }),
        ...(isRun
          ? {
              jqry: { ...pair(known, known), ...maybe(0.3, () => ({ seq: pick([0, 1, '1']) })) },
              ...maybe(0.5, () => ({ fqry: condition(known, moving) })),
              ...absent([name]),
            }
          : { fqry: condition(known, moving) }),
        ...maybe(isRun ? 0.6 : 0.1, () => ({
          cond: soleOrList(
            some([
              { name: 'NUMT', val: pick([2, '3']), ...maybe(0.3, () => ({ opid: 13 })) },
              { name: 'dur', val: pick([600, '90.5']) },
              { name: 'cqry', fqry: condition(known, moving), ...unknown() },
            ]),
          ),
        })),
        ...(isRun && maybe(0.3, () => ({ skip: 'past' }))),
        ...into,
        ...unknown(),
      })
    }
  }

  for (let count = whole(0, 3); count > 0 && posted.length > 1; count--) {
    const [left, right] = chance(0.5) ? [posted[0], posted[1]] : [posted[1], posted[0]]
    if (left === undefined || right === undefined) break
    const kind = pick(['join', 'cepq'])
    const name = fresh('j')
    const [leftType, rightType] = pick([[1, 1], [2, 4], [3, 5], ...(kind === 'join' ? [[6, 6] as const] : [])] as const)
    const into = target(
      3,
      'join',
      [...(posted.indexOf(left) < posted.indexOf(right) ? [left, right] : [right, left])].map((each) => each.name),
    )
    const own = ofType(left.known, 'LONG', 'BOOL').map((each) => each.name)
    const other = ofType(right.known, 'LONG', 'BOOL').map((each) => each.name)
    const isMirrored = chance(0.6)
    const jqry = pair(left.known, right.known, isMirrored ? 'mirror' : 'any')
    const within = maybe(0.5, () => ({ tloc: pick([60, 3600]) }))
    const from = [...(posted.indexOf(left) < posted.indexOf(right) ? [left, right] : [right, left])].map(
      (each) => each.name,
    )
    const side = (known: readonly Attribute[]) => ({
      ...maybe(0.3, () => ({ fqry: condition(known, moving) })),
      ...unknown(),
      ...absent(from),
    })
    const compute = overRow()
    const shared = { ...within, ostm: into }
    const ending = (known: readonly Attribute[]) =>
      maybe(kind === 'cepq' ? 0.5 : 0, () => ({
        cond: [
          { name: 'NUMT', val: 2 },
          ...some([
            { name: 'DUR', val: 60 },
            { name: 'cqry', fqry: condition(known, moving) },
          ]),
        ],
      }))
    const isPassive = leftType === 2 || leftType === 3
    push(left.stream, kind, {
      name,
      type: leftType,
      ...shared,
      ...lists(own, other),
      rstm: right.name,
      ...(isPassive && chance(0.3) ? {} : { jqry }),
      ...side(left.known),
      ...(isPassive ? {} : { ...ending(left.known), ...compute, ...notify() }),
    })
    push(right.stream, kind, {
      name,
      type: String(rightType),
      ...shared,
      ...lists(other, own),
      rstm: left.name,
      jqry: isMirrored ? mirrored(jqry) : pair(right.known, left.known),
      ...side(right.known),
      ...ending(right.known),
      ...(chance(0.7) ? compute : overRow()),
      ...notify(),
    })
  }

  if (chance(0.5)) {
    for (let count = whole(1, 2); count > 0; count--) {
      const name = fresh('e')
      const isJoined = chance(0.2)
      const from = pick(posted)
      const keys = ofType(from.known, 'STRING').map((each) => each.name)
      const key = fresh('k')
      const pkatr = isJoined
        ? [{ name: key, iatr: [keys[0], keys[0]], ...maybe(0.5, () => ({ type: 5 })) }]
        : chance(0.5)
          ? [{ name: keys[0], ...maybe(0.3, () => ({ type: 5 })), ...maybe(0.2, () => ({ kysz: 24, opid: 1 })) }]
          : [{ name: key, type: 5, iatr: soleOrList([keys[0]]) }]
      const numbers = ofType(from.known, 'DOUBLE').map((each) => each.name)
      const entries: Wire[] = Array.from({ length: whole(1, 3) }, () => {
        const inputs = Array.from({ length: whole(1, 2) }, () => pick(numbers))
        return {
          ...maybe(0.5, () => ({ name: pick([name, 'same', fresh('n')]) })),
          ...kept(
            'opid',
            pick([
              [1, 'COUNT'],
              [2, 'UCOUNT'],
              [3, 'RSTAT'],
            ]),
            true,
          ),
          ratr: soleOrList(inputs.map(() => fresh('v'))),
          iatr: soleOrList(inputs),
          pkatr,
          rstm: name,
          ...unused('doc_buf_factor'),
          ...unused('sync_ts'),
          ...unknown(),
        }
      })
      for (const entry of entries) push(from.stream, 'enty', entry)
      const first = String(pkatr[0]?.name)
      const columns = entries.flatMap(({ ratr, opid }) =>
        [ratr].flat().map((each) => ({
          name: each,
          type: [opid].flat().every((one) => /^([12]|u?count)$/i.test(String(one))) ? 9 : 11,
        })),
      )
      later.push({
        name,
        type: spelled([4, 'entity']),
        ...maybe(0.3, () => ({ swsz: 0 })),
        ...maybe(0.5, () => ({ inpt: [from.name] })),
        ...maybe(0.5, () => ({ attr: [{ name: first, type: 'STRING', pk: 1, ...unused('kysz') }, ...columns] })),
        ...unknown(),
      })
    }
  }
  streams.push(...posted.map(({ stream }) => stream))
  for (const each of later) streams.splice(whole(0, streams.length), 0, each)
  return {
    schema: fresh('schema'),
    streams,
    ...maybe(0.2, () => ({ cvar: [{}], udfs: [{ name: 'unused' }] })),
    ...unknown(),
  }
}
