import { literal } from '../../../literal.ts'
import type { SqlStatement } from '../../../statement.ts'

/**
 * Puts a table that was made beside another in that one's place. It bears a mark before the two change places, so whatever
 * a crash cut off, the comment of the table in place tells which of them that is. No reader finds the place empty. Names
 * are quoted; `about` is the comment that the table has for analysts, if it has any.
 */
export const swap = (table: string, made: string, mark: string, about?: string): string[] => [
  setComment(made, about === undefined ? mark : `${about} (${mark})`),
  exchange(table, made),
]

export const unmark = (table: string): string => setComment(table, '')

export const exchange = (table: string, other: string): string => `EXCHANGE TABLES ${table} AND ${other}`

const setComment = (table: string, comment: string): string =>
  `ALTER TABLE ${table} MODIFY COMMENT ${literal(comment, 'String')}`

/** Rows `at`, `database.table`: the tables that bear a mark, those that wait for their place among them. */
export const compileMarked = (mark: string): SqlStatement => ({
  text: "SELECT concat(database, '.', name) AS at FROM system.tables WHERE comment = {mark:String} OR endsWith(comment, concat('(', {mark:String}, ')'))",
  params: { mark },
})
