/** Questions that a table of records answers, each with a statement that asks it. */
import { qualified } from '../identifier.ts'
import type { Question, Sample } from '../question.ts'

export function questionsOfTable(database: string, table: string, sample: Sample | undefined): Question[] {
  const [source, name] = [qualified(database, table).replaceAll('`', ''), `${database}.${table}`]
  const found = Object.entries(sample ?? {}).find(
    ([member, value]) =>
      /^[A-Za-z]\w*$/.test(member) &&
      (typeof value === 'number' || (typeof value === 'string' && /^[\w -]{1,60}$/.test(value))),
  )
  return [
    { asks: 'records', sql: `SELECT * FROM ${source} LIMIT 10`, query: `select * from ${name} limit 10` },
    { asks: 'how many records there are', sql: `SELECT count() FROM ${source}`, query: `select count(*) from ${name}` },
    ...(found ? [conditionOf(source, name, found)] : []),
  ]
}

function conditionOf(source: string, name: string, [member, value]: readonly [string, unknown]): Question {
  const isText = typeof value === 'string'
  const read = isText
    ? `JSONExtractString(doc, '${member}') = '${value}'`
    : `JSONExtractFloat(doc, '${member}') >= ${value}`
  return {
    asks: `records by their ${member}`,
    sql: `SELECT * FROM ${source} WHERE ${read} LIMIT 10`,
    query: `select * from ${name} where ${member} ${isText ? '=' : '>='} ${JSON.stringify(value)} limit 10`,
  }
}
