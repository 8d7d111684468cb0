// Whether the processors have room for more tests: many of them wait most of the time, others need all there is.

import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {{ idle: number, all: number }} Ticks processor time since the start of the machine, of all processors */

/** @returns {Ticks} */
export function processorTicks() {
  const sum = { idle: 0, all: 0 }
  for (const { times } of cpus()) {
    sum.idle += times.idle
    sum.all += times.idle + times.user + times.nice + times.sys + times.irq
  }
  return sum
}

/** Says, one asker after the other, whether the processors were idle for a part of the last moments.
 * @param {object} [options]
 * @param {() => Ticks} [options.ticks]
 * @param {number} [options.share] how much of the time they must have been idle
 * @param {number} [options.look_ms] how long they are watched
 * @param {number} [options.settle_ms] how long what a yes has begun is given to show what it needs */
export function createRoom({ ticks = processorTicks, share = 0.15, look_ms = 2_000, settle_ms = 3_000 } = {}) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve()
  const look = async () => {
    const before = ticks()
    await sleep(look_ms)
    const now = ticks()
    return now.idle - before.idle >= share * (now.all - before.all)
  }
  return () => {
    const answer = last.then(look)
    last = answer.then((hasRoom) => (hasRoom ? sleep(settle_ms) : undefined))
    return answer
  }
}
