/** Random query texts over the graphs of `randomGraph`. */
import type { Random } from '../../../support/random/random.ts'

const values = ['1', '2.5', '"red"', 'Rome', '"R$%"', '100', '"10"', 'true', '"it\'s$%"', '2022-09-14', '""', 'NULL']
const operators = ['=', '!=', '!=', '!=', '>', '>=', '<', '<=', '~', '!~', '!~']
const formulas = [
  '$n*2',
  '$n+$x',
  'DATE_YEAR($t)',
  'DATE_MONTH($t)*100+DATE_DAY($t)',
  'ABS($n-1)',
  '-$n % 3',
  '($n+1)/($n-1)',
  'ROUND($n/2)',
  'CURTIME-$t',
  '$t',
]

/** `references` are `$names` that the value may be. */
function someTest(random: Random, left: string, references: readonly string[] = []): string {
  if (references.length > 0 && random.chance(0.35))
    return `${left} ${random.pick(operators)} ${random.pick(references)}`
  if (random.chance(0.15)) return `${left} ${random.pick(['~', '!~'])} NA`
  return `${left} ${random.pick(operators)} ${random.pick(values)}${random.chance(0.1) ? ` < ${random.pick(['5', '100'])}` : ''}`
}

const own = ['$n', '$t', '$x', '$none']

/** `before` are the aliases that a filter may speak of. */
function someTerm(random: Random, before: readonly string[]): string {
  const members = before.flatMap((alias) => {
    const names = alias.startsWith('e') ? ['n', 't', 'x', 'rel'] : ['n', 't', 'x', 'name', 'label', 'none']
    return names.map((name) => `$${alias}.${name}`)
  })
  const [other] = members.length > 0 && random.chance(0.2) ? [random.pick(members)] : []
  const formula = other === undefined ? random.pick(formulas) : `$n-${other}`
  const left = random.chance(0.2) ? formula : random.pick(['n', 't', 'x', 'x', 'name', 'none'])
  return someTest(random, left, [...own, ...members])
}

const someFilter = (random: Random, probability: number, before: readonly string[]): string =>
  random.chance(probability)
    ? ` {${[someTerm(random, before), ...(random.chance(0.3) ? [someTerm(random, before)] : [])].join(' AND ')}}`
    : ''

function someNode(random: Random, alias: string, before: readonly string[]): string {
  const name = random.pick(['*', '*', '*', '*', '*', '*', 'a', 'b', '"a$%"', '"\\"q\\\\"'])
  return `(${alias}${random.pick(['A', 'A', 'B', '*', '*', '*', '*'])}:${name}${someFilter(random, 0.3, before)})`
}

function someEdge(random: Random, alias: string, before: readonly string[]): string {
  const inner = `[${alias}${random.pick(['R', 'R', 'S', '*', '*', '*', '*'])}${someFilter(random, 0.15, before)}]`
  return random.chance(0.5) ? `-${inner}->` : `<-${inner}-`
}

function someItems(random: Random, nodes: readonly string[], edges: readonly string[]): string[] {
  const member = (): string =>
    edges.length > 0 && random.chance(0.3)
      ? `${random.pick(edges)}.${random.pick(['n', 't', 'x', 'rel'])}`
      : `${random.pick(nodes)}.${random.pick(['n', 't', 'x', 'name', 'label'])}`
  const plain = Array.from({ length: random.whole(1, 3) }, (_, index) => `${member()} AS c${index}`)
  if (random.chance(0.3)) plain.push('MATH_EXP("$c0*2-1") AS m')
  if (random.chance(0.55)) return plain
  const aggregates = Array.from({ length: random.whole(1, 3) }, (_, index) => {
    const kind = random.pick(['COUNT', 'COUNT', 'UCOUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'STD', 'SKEW', 'EXKURT'])
    const condition = random.chance(0.2) ? ` {${someTest(random, 'c0')}}` : ''
    if (kind === 'COUNT' && random.chance(0.5)) return `COUNT(*${condition}) AS f${index}`
    if (kind === 'UCOUNT' && random.chance(0.5)) return `UCOUNT(${random.pick([...nodes, ...edges])}) AS f${index}`
    return `${kind}(${member()}${condition}) AS f${index}`
  })
  if (random.chance(0.3)) aggregates.push('MATH_EXP("ROUND($f0/3)+1") AS g')
  return random.chance(0.15) && !aggregates.some((text) => text.includes('c0')) ? aggregates : [...plain, ...aggregates]
}

function someReturning(random: Random, nodes: readonly string[], edges: readonly string[]): string {
  if (random.chance(0.2))
    return random.chance(0.5)
      ? ''
      : `; RETURN *${random.chance(0.5) ? ` WHERE ${someTest(random, random.pick(['n', 't', 'rel', 'label']))}` : ''}${random.chance(0.5) ? ' SORT_DESC n' : ''}`
  const items = someItems(random, nodes, edges)
  const columns = items.map((item) => item.slice(item.lastIndexOf(' ') + 1))
  const aggregated = columns.filter((column) => /^[fg]/.test(column))
  const plain = columns.filter((column) => /^[cm]/.test(column))
  const excluded = aggregated.length > 0 && plain.includes('c1') && random.chance(0.3) ? ['c1'] : []
  const visible = columns.filter((column) => !excluded.includes(column))
  const parts = [`; RETURN ${items.join(random.pick([', ', ' ']))}`]
  if (excluded.length > 0) parts.push(`EXCLUDE_GROUPBY(${excluded})`)
  if (random.chance(0.3)) {
    // Means of another order of summing differ in their last digits.
    const exact =
      excluded.length > 0
        ? []
        : items.every((item) => /^[en]\d\.|^(COUNT|UCOUNT|MIN|MAX)\(/.test(item))
          ? columns
          : plain
    const groups = [columns, visible].map((among) => {
      const left = random.pick(among)
      return someTest(random, left, exact.includes(left) ? exact.map((column) => `$${column}`) : [])
    })
    const isOneKind = excluded.length === 0
    parts.push(`WHERE ${isOneKind && random.chance(0.3) ? `(${groups.join(' OR ')})` : groups.join(' AND ')}`)
  }
  if (random.chance(0.4)) parts.push(`${random.pick(['SORT_ASC', 'SORT_DESC'])} ${random.pick(visible)}`)
  return parts.join(' ')
}

export function randomQuery(random: Random): string {
  const length = random.pick([0, 1, 1, 1, 2, 2, 3])
  const nodes = Array.from({ length: length + 1 }, (_, index) => `n${index}`)
  const edges = Array.from({ length }, (_, index) => `e${index}`)
  const before = (count: number): string[] => [...nodes.slice(0, count), ...edges.slice(0, count)]
  const texts = nodes.map((alias, index) => someNode(random, `@${alias} `, before(index)))
  const arrows = edges.map((alias, index) => someEdge(random, `@${alias} `, [...before(index), nodes[index] ?? '']))
  const isNested = length > 1 && random.chance(0.3)
  const pattern = texts.map(
    (text, index) => `${index === 0 ? '' : (arrows[index - 1] ?? '')}${text}${isNested && index === 1 ? ']' : ''}`,
  )
  const modifier =
    random.chance(0.3) && length > 0 ? `{${random.pick(['DISTINCT', 'UNIQUE_SELECT', 'SYMM', 'ASYMM'])}}` : ''
  return `s${modifier}=>${isNested ? '[t=>' : ''}${pattern.join('')}${someReturning(random, nodes, edges)}`
}

/** Counts walks of one to three relations by one label, one name or nothing. */
export function countingQuery(random: Random): string {
  const length = random.whole(1, 3)
  const texts = Array.from({ length: length + 1 }, (_, index) => `(@n${index} ${random.pick(['A', '*', '*', '*'])}:*)`)
  const arrows = Array.from({ length }, () => (random.chance(0.5) ? '-[*]->' : '<-[*]-'))
  const pattern = texts.map((text, index) => `${index === 0 ? '' : arrows[index - 1]}${text}`).join('')
  const group = random.chance(0.3) ? '' : `n${random.whole(0, length)}.${random.pick(['label', 'name'])} AS c0, `
  return `s=>${pattern}; RETURN ${group}COUNT(*) AS f0`
}
