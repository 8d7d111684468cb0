/** The tables and views of a schema as analysts' SQL sees them, with their columns (docs/analysts.md). */
import type { Kept } from './kept-statistics.ts'
import type { SchemaShape, StreamShape } from './schema-shape.ts'

export type AnalystsTable = { readonly name: string; readonly columns: readonly string[] }

const columnsOf = (name: string, { columns }: Kept): string[] => columns.map((column) => `${name}_${column}`)

export function analystsTables({ name: schema, streams }: SchemaShape): AnalystsTable[] {
  return streams.flatMap((stream) => (stream.isEntity ? [entityView(schema, stream)] : tablesOf(schema, stream)))
}

function entityView(schema: string, { name, attributes, results }: StreamShape): AnalystsTable {
  const counted = new Set(results.map((result) => result.name))
  const keys = attributes.filter((attribute) => !counted.has(attribute.name)).map((attribute) => attribute.name)
  return {
    name: `${schema}.${name}`,
    columns: [
      ...keys,
      ...results.flatMap(({ name: result, kept, windows }) =>
        ['', ...windows.map((window) => `_${window}`)].flatMap((window) => columnsOf(`${result}${window}`, kept)),
      ),
    ],
  }
}

function tablesOf(schema: string, { name, attributes, groups }: StreamShape): AnalystsTable[] {
  const views = new Map<string, string[]>()
  const add = (view: string, first: readonly string[], columns: readonly string[]): void => {
    const known = views.get(view) ?? [...first]
    views.set(view, [...known, ...columns])
  }
  for (const attribute of attributes) {
    if (attribute.kept === undefined) continue
    add(`${schema}.${name}_by_${attribute.interval_s}s`, ['interval_start'], columnsOf(attribute.name, attribute.kept))
  }
  for (const { by, of, kept, interval_s } of groups) {
    add(`${schema}.${name}_by_${interval_s}s__${by.join('__')}`, ['interval_start', ...by], columnsOf(of, kept))
  }
  return [
    { name: `${schema}.${name}`, columns: ['_pk', '_time', ...attributes.map((attribute) => attribute.name), '_v'] },
    ...[...views].map(([view, columns]) => ({ name: view, columns })),
  ]
}
