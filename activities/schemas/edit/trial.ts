import { Fault } from '../../../base/faults.ts'
import { type ChangedPart, compareSchemas, type NamedPart } from '../../../sql/schema/compare.ts'
import type { Schema } from '../../../sql/schema/schema.ts'

/** The outcome that an edit would have: nothing of it is done. */
export type Trial = {
  readonly added: readonly NamedPart[]
  readonly changed: readonly ChangedPart[]
  readonly filled: readonly NamedPart[]
  readonly lost: readonly NamedPart[]
  /** The reasons to refuse it; empty where it would stand. */
  readonly refused: readonly string[]
}

const outcomes: Readonly<Record<string, string>> = {
  attribute: 'its values come back with their events as undeclared members',
  'computed attribute': 'stored values stay, and later events have none',
  relation: 'the graph keeps what it holds',
  filter: 'copied events stay, and no more come',
  notification: 'later events make no match',
}

/** A part that is dropped, with its outcome. */
const told = ({ detail, ...part }: NamedPart): NamedPart => {
  const outcome = outcomes[part.what] ?? detail
  return { ...part, ...(outcome !== undefined && { detail: outcome }) }
}

export function tryEdit(from: Schema, to: Schema, refused: readonly string[]): Trial {
  const { added, changed, filled, dropped } = compareSchemas(from, to)
  return { added, changed, filled, lost: dropped.map(told), refused }
}

/** The trial of a change that is refused before its schema is compared; other errors go on. */
export function refusedTrial(error: unknown): Trial {
  if (!(error instanceof Fault) || error.kind !== 'conflict') throw error
  const { problems = [error.message] } = error.details ?? {}
  return { added: [], changed: [], filled: [], lost: [], refused: [problems].flat().map(String) }
}
