import { closeSync, fdatasync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Clock, createClock } from '../../clock.ts'

/** How far ahead of the values handed out the kept one is: less than a restart takes, so that no clock runs ahead by it. */
const ahead_us = 1_000_000
/** Decimal digits of a value, filled up with zeros: the file never grows, so a full disk does not matter. */
const digits = 17

export type KeptClock = Clock & { close(): void }

/**
 * A clock whose values grow across restarts, also where the computer's own was set back in between: a file holds a
 * value that the clock has not reached yet. Several processes may share it; each begins above every value that any of
 * them had kept. `least_us` is a value known from elsewhere.
 */
export function createKeptClock(path: string, least_us = 0, now_us?: () => number): KeptClock {
  mkdirSync(dirname(path), { recursive: true })
  closeSync(openSync(path, 'a'))
  const kept = openSync(path, 'r+')
  const clock = createClock(Math.max(least_us, read()), now_us)
  let reserved = clock.last()
  let isClosed = false
  keep(reserved)

  function read(): number {
    const buffer = Buffer.alloc(digits)
    const length = readSync(kept, buffer, 0, digits, 0)
    const value = Number(buffer.toString('latin1', 0, length))
    return Number.isSafeInteger(value) ? value : 0
  }

  function keep(value: number): void {
    writeSync(kept, String(value).padStart(digits, '0'), 0, 'latin1')
  }

  /** Another process may have kept a greater one meanwhile. */
  function reserve(from: number): void {
    reserved = from + ahead_us
    try {
      keep(Math.max(reserved, read()))
      // The page cache outlives this process; this is for the machine's end.
      fdatasync(kept, () => {})
    } catch {
      // A bet: no restart soon meets a wall clock that was set back as well.
    }
  }

  return {
    ...clock,
    next(): number {
      const value = clock.next()
      if (value >= reserved && !isClosed) reserve(value)
      return value
    },
    close(): void {
      if (isClosed) return
      isClosed = true
      if (read() === reserved) keep(clock.last())
      closeSync(kept)
    },
  }
}
