import { Refusal } from '../refusal.ts'

/** Past this the rest is counted, so that an answer stays shorter than its request. */
const max = 1000
/** No client waits until hundreds of thousands are counted. */
const maxCounted = 10_000

export type Problems = ReturnType<typeof createProblems>

/** Gathers problems, to be refused at once. */
export const createProblems = () => {
  const list: string[] = []
  let more = 0

  return {
    /** A sentence that takes work, such as advice on a name, comes as a function. One that is said already is not repeated. */
    add(path: string, sentence: string | (() => string)) {
      const line = list.length < max ? `${path}: ${typeof sentence === 'string' ? sentence : sentence()}` : undefined
      if (line === undefined) {
        more += 1
        if (more === maxCounted) throw new Refusal([...list, `and ${more} more, or more than these`])
      }
      if (line !== undefined && line !== list.at(-1)) list.push(line)
    },

    /** Throws a `Refusal` where there was a problem. */
    refuse() {
      if (list.length > 0) throw new Refusal(more > 0 ? [...list, `and ${more} more`] : list)
    },
  }
}
