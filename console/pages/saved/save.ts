import type { SaveQuestionAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { printJson } from '../../api/json.ts'
import type { Definition } from './definition.ts'

/** Saves a definition, or with `isDry` has it tried. */
export const save = (
  name: string,
  definition: Definition,
  { isDry = false, signal }: { readonly isDry?: boolean; readonly signal?: AbortSignal } = {},
): Promise<SaveQuestionAnswer> =>
  call('PUT /saved/{saved}', {
    path: { saved: name },
    query: { dry: isDry ? 1 : undefined },
    body: printJson(definition),
    headers: { 'Content-Type': 'application/json' },
    ...(signal && { signal }),
  })
