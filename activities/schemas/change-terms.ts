import { createNotes, type Notes } from '../../sql/schema/check/notes.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import type { SchemaCompiler } from './compile-schema.ts'

/** The terms of a registration or an edit. */
export type ChangeTerms = {
  readonly notes: Notes
  /** Members that Weir does not know are refused. */
  readonly isStrict?: boolean
  /** The change may lose data. */
  readonly force?: boolean
}

export const plainTerms = (): ChangeTerms => ({ notes: createNotes() })

/** Decodes a schema that a client has sent. */
export function decodeSent(
  compiler: Pick<SchemaCompiler, 'decode'>,
  body: string,
  { notes, isStrict = false }: ChangeTerms,
): Schema {
  const schema = compiler.decode(body, notes)
  if (isStrict) notes.refuseUnknown()
  return schema
}
