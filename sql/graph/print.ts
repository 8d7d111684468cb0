/** A query back to text: without blanks, text in double quotes where it needs them. Parsing it gives the same query. */
import { quoted } from '../query/print.ts'
import type { EdgePattern, GraphQuery, NamePattern, NodePattern } from './ast.ts'

export function printGraph({ token, pattern: { from, edge, to } }: GraphQuery): string {
  return `${token}=>${node(from)}${arrow(edge)}${node(to)}`
}

function node({ label, name }: NodePattern): string {
  if (label === undefined && name === undefined) return '(*)'
  return `(${text(label)}:${nameText(name)})`
}

function arrow({ relation, direction }: EdgePattern): string {
  return direction === 'out' ? `-[${text(relation)}]->` : `<-[${text(relation)}]-`
}

const needsNoQuotes = /^\w[\w.-]*$/

const text = (value: string | undefined): string =>
  value === undefined ? '*' : needsNoQuotes.test(value) ? value : quoted(value)

function nameText(name: NamePattern | undefined): string {
  if (name?.kind === 'starts') return `${quoted(name.text).slice(0, -1)}$%"`
  return text(name?.text).replace(/\$%"$/, '$\\u0025"')
}
