import type { TurnCommit } from '../../infra/log/port.ts'

/** A turn with lines of its own, before those of `more`. */
export const turnOf = (queue: string, lines: Buffer, rows: number, more: Partial<TurnCommit> = {}): TurnCommit => ({
  changes: [],
  ...more,
  lines: [{ queue, lines, rows }, ...(more.lines ?? [])],
})
