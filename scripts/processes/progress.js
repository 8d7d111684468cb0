// A line of progress on standard error for work that takes longer than a moment.

import { inTerminal, say } from './run.js'

/** In a terminal the line is drawn anew; a file gets a line at the start and one every few seconds. */
const every_ms = inTerminal ? 250 : 5_000

/**
 * @template Result
 * @param {string} title
 * @param {() => { done: number, total: number }} ask how far the work is
 * @param {() => Promise<Result>} work
 * @param {(result: Result) => boolean} [isDone] whether the work came to its end
 * @returns {Promise<Result>}
 */
export async function sayProgress(title, ask, work, isDone = () => true) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const show = () => {
    const { done, total } = ask()
    const line = `${title}: ${Math.min(done, total)} of ${total} (${seconds()} s)`
    if (inTerminal) process.stderr.write(`\r${line}\x1b[K`)
    else say(line)
  }
  show()
  const timer = setInterval(show, every_ms)
  let ended = 'failed'
  try {
    const result = await work()
    if (isDone(result)) ended = 'done'
    return result
  } finally {
    clearInterval(timer)
    if (inTerminal) process.stderr.write('\r\x1b[K')
    say(ended === 'done' ? `${title}: done in ${seconds()} s` : `${title}: failed after ${seconds()} s`)
  }
}
