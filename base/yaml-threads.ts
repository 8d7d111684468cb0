import { fault } from './faults.ts'
import type { YamlAnswer, YamlTask } from './read-yaml.ts'
import { openThreads, threadFile } from './threads.ts'
import { type PlacedJson, parseYaml, placed } from './yaml.ts'

/** Characters that are parsed in the thread of the requests: some ten milliseconds on a busy machine. */
const maxHere = 8 * 1024
/** Texts that wait for the thread; more are refused. */
const maxWaiting = 64
const heap_mb = 512

/** Parses YAML without holding up the requests of others. Throws a fault `invalid` that lists what is wrong. */
export function openYamlThreads() {
  const pool = openThreads<YamlTask, YamlAnswer>(threadFile('read-yaml', import.meta.url), { threads: 1, heap_mb })
  return {
    async parse(text: string, what: string, signal?: AbortSignal): Promise<PlacedJson> {
      if (text.length <= maxHere) return parseYaml(text, what)
      if (pool.waiting() >= maxWaiting)
        throw fault('limited', `${maxWaiting} texts of YAML are waiting already`, { retryAfter: 5 })
      const answer = await pool.run({ text, what }, { signal })
      if ('refused' in answer) throw fault('invalid', answer.refused, { problems: answer.problems })
      return placed(answer)
    },
    close: (): Promise<void> => pool.close(),
  }
}

export type YamlThreads = ReturnType<typeof openYamlThreads>
