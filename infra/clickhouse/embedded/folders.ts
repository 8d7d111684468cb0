import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** The folders of tables, which hold their parts, and of databases, which hold their tables' definitions. */
export const foldersIn = (store: string): string[] =>
  namesIn(store).flatMap((begin) => namesIn(join(store, begin)).map((name) => join(store, begin, name)))
