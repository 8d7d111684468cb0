import type { FaultKind } from '../../base/faults.ts'

/** The HTTP status and errcode of each kind of fault: the one place for both (docs/adr/0015-one-shape-of-refusal.md). */
export const statusOf: Readonly<Record<FaultKind, readonly [status: number, errcode: number]>> = {
  invalid: [400, -1],
  denied: [401, -2],
  forbidden: [403, -2],
  missing: [404, -3],
  method: [405, -1],
  conflict: [409, -4],
  reused: [422, -4],
  off: [409, -4],
  'too large': [413, -5],
  unsupported: [415, -1],
  'out of range': [416, -1],
  limited: [503, -6],
  'too many': [429, -6],
  unavailable: [503, -7],
  late: [504, -7],
  abandoned: [499, -7],
}
