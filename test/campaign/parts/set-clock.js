/**
 * Runs in each thread of a service before its program: its wall clock is ahead of the computer's (or behind) by the
 * milliseconds in the file `WEIR_CAMPAIGN_CLOCK`. Time that passes is as it is.
 */
import { readFileSync } from 'node:fs'

const every_ms = 20
const file = process.env.WEIR_CAMPAIGN_CLOCK
const Real = Date
let ahead_ms = 0

function read() {
  try {
    ahead_ms = Number(readFileSync(String(file), 'utf8'))
  } catch {
    ahead_ms = 0
  }
}

const now = () => Real.now() + ahead_ms

globalThis.Date = new Proxy(Real, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

if (file !== undefined) {
  read()
  setInterval(read, every_ms).unref()
}
