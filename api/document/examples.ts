import { readFileSync } from 'node:fs'

export type Example = { readonly type: string; readonly value: unknown }
export type CallExample = { readonly body?: Example; readonly answer?: Example }

/**
 * The examples by the ids of calls: from docs/tour.md, else from docs/interface.md; `UPDATE_GOLDEN=1` makes the file
 * from them.
 */
export const readExamples = (): Readonly<Record<string, CallExample>> =>
  JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8'))
