import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import { planEditEnd } from '../../../sql/schema/ddl/edit/finish-edit.ts'
import { freshFilters } from '../../../sql/schema/ddl/edit/schema-diff.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import type { StreamStates } from '../stream-states.ts'
import { changeOf } from './edit-record.ts'
import type { Edit } from './states.ts'

/** How far an edit is that fills what it adds from the events of before: parts that are full, of how many, since when. */
export type EditProgress = {
  /** While it is `building` queries see the schema of before, while it is `filling` that of after. */
  readonly state: 'building' | 'filling'
  readonly done: number
  readonly total: number
  readonly since_us?: number
}

export type EditProgressDeps = {
  readonly compiler: Pick<SchemaCompiler, 'decode'>
  readonly states: Pick<StreamStates, 'offStreams'>
}

/**
 * Tells how far an edit is, of this process or as another one has written it down. `filled`: statements that this process
 * has run of the present state. Undefined where nothing is to be filled.
 */
export function createEditProgress({ compiler, states }: EditProgressDeps) {
  return ({ name, state, record }: Pick<Edit, 'name' | 'state' | 'record'>, filled = 0): EditProgress | undefined => {
    if (record.feedsStay || record.from === record.to) return undefined
    const change = changeOf(record, compiler.decode)
    const off = states.offStreams(name)
    const tables = planEdit(change, off, record.id).fill.length
    const graph = planEditEnd(change).graph.length
    const copies = freshFilters(change).filter(({ filter }) => !off.has(filter.target)).length
    const total = tables + graph + copies
    if (total === 0) return undefined
    const since = record.begun_us === undefined ? {} : { since_us: record.begun_us }
    if (state !== 'filling') return { state: 'building', done: Math.min(filled, tables), total, ...since }
    const ended = record.copies ? graph + record.copies.done : Math.min(filled, graph)
    return { state, done: record.isFilled ? total : Math.min(total, tables + ended), total, ...since }
  }
}
