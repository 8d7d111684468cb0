/** Small things that a browser remembers from visit to visit. Never a key, and nothing of events. */
import { type Signal, signal } from '@preact/signals'

/** A signal whose value is kept in this browser, where it lets pages keep anything. */
export const stored = <Value>(
  name: string,
  initial: Value,
  isGood: (value: unknown) => value is Value,
): Signal<Value> => store(name, signal(initial), isGood)

/** Stores the value of a signal that is there; its present value is the initial one. */
export function store<Value>(
  name: string,
  value: Signal<Value>,
  isGood: (value: unknown) => value is Value,
): Signal<Value> {
  const initial = value.value
  value.value = read(name, initial, isGood)
  value.subscribe((now) => {
    try {
      if (now === initial) localStorage.removeItem(`weir.${name}`)
      else localStorage.setItem(`weir.${name}`, JSON.stringify(now))
    } catch {}
  })
  return value
}

function read<Value>(name: string, initial: Value, isGood: (value: unknown) => value is Value): Value {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`weir.${name}`) ?? 'null')
    return isGood(value) ? value : initial
  } catch {
    return initial
  }
}
