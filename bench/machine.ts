import { readFileSync } from 'node:fs'
import { machine } from './report.ts'

const ticksASecond = 100
const numbers = (text: string): number[] => text.trim().split(/\s+/).map(Number)

/** Core seconds that the whole machine worked, since it was started. */
function busySeconds(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0] = numbers(total.slice('cpu'.length))
  return (user + nice + system + interrupts + soft) / ticksASecond
}

/** Core seconds of this process, and of those that it started and that have ended. */
function ownSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const behindName = numbers(stat.slice(stat.lastIndexOf(')') + 1))
  return behindName.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / ticksASecond
}

/** The machine that the figures are measured on; call `describe` once every other process of the bench has ended. */
export function watchMachine() {
  const header = machine()
  const started = performance.now()
  const before = busySeconds() - ownSeconds()

  return {
    describe(): string {
      const seconds = (performance.now() - started) / 1000
      const others = Math.max(0, busySeconds() - ownSeconds() - before) / seconds
      return `${header}; ${Math.round(seconds)} s, in which other processes took ${others.toFixed(2)} cores`
    },
  }
}
