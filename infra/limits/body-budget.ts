import type { Config } from '../config.ts'
import { machineMemory } from '../memory.ts'
import { type ByteBudget, createByteBudget } from './byte-budget.ts'

/** The bytes of one request's body: from before they are read until the request is answered. */
export type BodyHold = {
  /** Undefined where there is room at once; what is closed takes none. */
  take(bytes: number): Promise<void> | undefined
  /** Whether others wait for what it holds. */
  isWanted(): boolean
  close(): void
}

const megabyte = 1024 * 1024
/** Bodies up to this size have a share of their own: large or slow ones keep no event and no query waiting. */
const smallBody = megabyte
const smallShare = 1 / 4
const patience_ms = 15_000
const setting = 'MAX_BODIES_MB'

/** In work a body takes some fifteen times its size: this is the most, where memory does not make it less. */
const usualBytes = 64 * megabyte
const shareOfMemory = 1 / 24

export const bodyBytes = ({ MAX_BODIES_MB: set }: Pick<Config, 'MAX_BODIES_MB'>): number =>
  set === undefined ? Math.min(usualBytes, machineMemory() * shareOfMemory) : set * megabyte

/** Bounds what is made of bodies beyond their size. Nobody waits for it: less is made at a time where there is none. */
export const createLineBudget = (config: Pick<Config, 'MAX_BODIES_MB'>): ByteBudget =>
  createByteBudget(bodyBytes(config), patience_ms, setting)

/** Bounds the bodies that are in work at a time, by their bytes. */
export function createBodyBudget(most: number) {
  const small = createByteBudget(most * smallShare, patience_ms, setting)
  const large = createByteBudget(most * (1 - smallShare), patience_ms, setting)

  return {
    open(): BodyHold {
      const [few, many] = [{ bytes: 0 }, { bytes: 0 }]
      let isClosed = false
      return {
        take(bytes) {
          if (isClosed) return undefined
          return many.bytes === 0 && few.bytes + bytes <= smallBody ? small.take(few, bytes) : large.take(many, bytes)
        },
        isWanted: () => (few.bytes > 0 && small.isWanted()) || (many.bytes > 0 && large.isWanted()),
        close(): void {
          isClosed = true
          small.give(few)
          large.give(many)
        },
      }
    },
  }
}

export type BodyBudget = ReturnType<typeof createBodyBudget>
