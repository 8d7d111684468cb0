/** Statements to begin with, made from what there is. */
import type { Catalogue } from './known.ts'
import type { SchemaShape } from './schema-shape.ts'

export type Example = { readonly language: 'weir' | 'sql'; readonly says: string; readonly text: string }

const maxSchemas = 3
const maxExamples = 8

export async function findExamples(catalogue: Pick<Catalogue, 'schemas' | 'schema'>): Promise<readonly Example[]> {
  const names = (await catalogue.schemas()).slice(0, maxSchemas)
  const schemas = await Promise.all(names.map((name) => catalogue.schema(name)))
  const all = schemas.flatMap((schema) => (schema ? examplesOf(schema) : []))
  return all.slice(0, maxExamples)
}

function examplesOf({ name: schema, streams }: SchemaShape): readonly Example[] {
  const events = streams.find(({ isEntity }) => !isEntity)
  const entity = streams.find(({ isEntity }) => isEntity)
  if (!events) return []
  const place = `${schema}.${events.name}`
  const counted =
    events.attributes.find(({ kept }) => kept?.columns.includes('avg')) ?? events.attributes.find(({ kept }) => kept)
  const [group] = events.groups
  const weir = (says: string, text: string): Example => ({ language: 'weir', says, text })
  return [
    weir(`The latest events of ${place}`, `select * from ${place} limit 1000`),
    ...(counted ? [weir(`${counted.name} over time`, `select aggr(${counted.name}) from ${place} limit 1000`)] : []),
    ...(group
      ? [
          weir(
            `${group.of} by ${group.by.join(' and ')}`,
            `select aggr(${group.of}) from ${place} groupby ${group.by.join(':')}`,
          ),
        ]
      : []),
    ...(entity ? [weir(`Each of ${schema}.${entity.name}`, `select * from ${schema}.${entity.name}`)] : []),
    {
      language: 'sql',
      says: `Events of ${place} a minute, in SQL`,
      text: `SELECT toStartOfMinute(_time) AS minute, count() AS events\nFROM ${place}\nGROUP BY minute\nORDER BY minute DESC\nLIMIT 1000`,
    },
  ]
}
