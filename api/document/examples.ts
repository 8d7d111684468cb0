import { readFileSync } from 'node:fs'

export type Example = { readonly type: string; readonly value: unknown }
export type CallExample = { readonly body?: Example; readonly answer?: Example }

/** By the ids of calls: those of docs/tour.md, else of docs/interface.md, from which `UPDATE_GOLDEN=1` makes the file. */
export const readExamples = (): Readonly<Record<string, CallExample>> =>
  JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8'))
