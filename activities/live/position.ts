/** A place in the order in which a stream's events came: behind the event of that `_seq`. */
export type Position = {
  readonly seq: number
  /** Filters may bring one event into a stream several times: how many of its copies are before the place; absent: all. */
  readonly seen?: number
}

/** The id of an event for clients: they send back the last one that they got. */
export const idOf = ({ seq, seen }: Position): string => (seen === undefined ? String(seq) : `${seq}.${seen}`)

const form = /^(\d{1,16})(?:\.([1-9]\d{0,8}))?$/

/** Undefined where the text is no id. */
export function positionOf(id: string): Position | undefined {
  const [, seq, seen] = form.exec(id) ?? []
  if (seq === undefined || !Number.isSafeInteger(Number(seq))) return undefined
  return { seq: Number(seq), ...(seen !== undefined && { seen: Number(seen) }) }
}
