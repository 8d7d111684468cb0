import type { SchemaShape } from './schema-shape.ts'

/** Schemas, databases, tables and graphs, by the names that statements use. */
export type Catalogue = {
  schemas(): Promise<readonly string[]>
  schema(name: string): Promise<SchemaShape | undefined>
  databases(): Promise<readonly string[]>
  tables(database: string): Promise<readonly string[]>
  graphs(): Promise<readonly string[]>
}
