import { totalmem } from 'node:os'

/** Bytes of memory that this process may use: the machine's, or a container's share of it. */
export function machineMemory(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
