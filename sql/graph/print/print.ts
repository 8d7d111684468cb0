/** A statement back to text, in one form: text in double quotes where it needs them. Parsing it gives the same statement. */
import { quoted } from '../../query/print.ts'
import type {
  EdgeFunction,
  EdgePattern,
  Filter,
  GraphChange,
  GraphQuery,
  GraphStatement,
  NamePattern,
  NodeKey,
  NodePattern,
  Pattern,
  Properties,
} from '../ast.ts'
import { comparison, name, text } from './parts.ts'
import { orderText, printReturning } from './returning.ts'

export function printGraph(statement: GraphStatement): string {
  switch (statement.kind) {
    case 'query':
      return query(statement)
    case 'set': {
      const { set, column, queries } = statement
      const head = [set, 'USING', name(column.name), ...orderText(statement)].join(' ')
      return `<${head}> ${queries.map(query).join(' ++ ')}`
    }
    default:
      return change(statement)
  }
}

function query({ token, modifier, algorithm, pattern, returning }: GraphQuery): string {
  const { kind, max } = modifier ?? algorithm ?? {}
  const modified = kind ? `{${kind}${max === undefined ? '' : `, ${max}`}}` : ''
  return `${token}${modified}=>${printPattern(pattern)}${returning ? `; ${printReturning(returning)}` : ''}`
}

function printPattern({ nodes, links, nested }: Pattern): string {
  const [first, ...others] = nodes.map(node)
  const steps = links.map(({ edge }, index) => `${arrow(edge)}${others[index] ?? ''}`)
  if (nested === undefined) return `${first}${steps.join('')}`
  return `[${nested}=>${first}${steps[0] ?? ''}]${steps.slice(1).join('')}`
}

function node({ alias, label, name, filter }: NodePattern): string {
  const what = label === undefined && name === undefined ? '*' : `${text(label)}:${nameText(name)}`
  return `(${alias === undefined ? '' : `@${alias} `}${what}${filter ? ` ${braces(filter)}` : ''})`
}

function arrow({ alias, relation, direction, filter, call }: EdgePattern): string {
  const inner = [
    ...(alias === undefined ? [] : [`@${alias}`]),
    ...(call ? [`${functionText(call)}`] : []),
    text(relation),
    ...(call?.kind === 'shortest' && call.weight ? [weightText(call.weight)] : []),
    ...(filter ? [braces(filter)] : []),
  ].join(' ')
  return direction === 'out' ? `-[${inner}]->` : `<-[${inner}]-`
}

function functionText(call: EdgeFunction): string {
  if (call.kind === 'radius') return `#RADIUS_OF ${call.metres}`
  return call.kind === 'all' ? '#ALL_PATH' : '#SHORT_PATH'
}

function weightText(weight: NonNullable<Extract<EdgeFunction, { kind: 'shortest' }>['weight']>): string {
  return weight.kind === 'property'
    ? `{weight=${quoted(weight.name)}}`
    : `{geo_distance=${quoted(`${weight.latitude}.${weight.longitude}`)}}`
}

const braces = (filter: Filter): string =>
  `{${filter
    .map(({ left, ...rest }) => comparison(left.kind === 'formula' ? left.text : name(left.name), rest))
    .join(' AND ')}}`

function nameText(pattern: NamePattern | undefined): string {
  if (pattern?.kind === 'starts') return `${quoted(pattern.text).slice(0, -1)}$%"`
  return text(pattern?.text).replace(/\$%"$/, '$\\u0025"')
}

function change(statement: GraphChange): string {
  switch (statement.kind) {
    case 'create': {
      const [first, ...others] = statement.nodes.map((each) => `(${key(each)}${json(each.properties)})`)
      const steps = statement.relations.map(({ relation, direction, properties }, index) => {
        const inner = `[${text(relation)}${json(properties)}]`
        return `${direction === 'out' ? `-${inner}->` : `<-${inner}-`}${others[index] ?? ''}`
      })
      return `CREATE ${first}${steps.join('')}`
    }
    case 'merge':
      return `MERGE (${key(statement.primary)})<-[*]-(${key(statement.secondary)})`
    case 'delete':
      return `DELETE (${key(statement.node)})`
    case 'geo index':
      return `create geoindex ${statement.graph}.${name(statement.label)} ${statement.name} = "${statement.latitude}.${statement.longitude}"`
  }
}

const key = ({ label, name }: NodeKey): string => `${text(label)}:${nameText({ kind: 'is', text: name })}`

const json = (properties: Properties): string =>
  properties.length === 0 ? '' : ` {${properties.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
