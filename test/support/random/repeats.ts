import { writeSync } from 'node:fs'

/**
 * Questions that the files of one process may ask again: more would hide a feeder that does not keep its promise. Three
 * lanes of servers that are killed and started on two cores do need some.
 */
const most = 15
const repeated: string[] = []

// No hook of ava's: a file that waits for its service before it declares its tests must not have declared any before.
process.once('exit', () => {
  if (repeated.length <= most) return
  writeSync(
    2,
    `${repeated.length} answers were a 504 and asked for again, more than ${most}:\n${repeated.join('\n')}\n`,
  )
  process.exitCode = 1
})

/**
 * Repeats a request that was answered by a 504, as a client would: on a busy machine the events may take longer than a query
 * waits. Each time counts, by `what`. A test of what a query sees asks once instead, by `client.send`.
 */
export async function askAgain<Answer extends { readonly status: number }>(
  what: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask()
    if (answer.status !== 504 || attempt === 10) return answer
    repeated.push(what)
  }
}
