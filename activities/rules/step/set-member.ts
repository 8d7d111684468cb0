import { type Event, isObject, type Json } from '../../../base/json.ts'

type Set = (row: Event, value: Json | undefined) => void

/** Puts a value where events have it: a field of an OBJECT in that object. A missing value takes away what is there. */
export function compileSet(name: string): Set {
  const path = name.split('.')
  const last = path.pop() ?? name
  return (row, value) => {
    let object = row
    for (const step of path) {
      let next = object[step]
      if (!isObject(next)) {
        if (value === undefined) return
        next = {}
        object[step] = next
      }
      object = next
    }
    if (value === undefined) delete object[last]
    else object[last] = value
  }
}
