/** A fault that a test makes the server have with the next statements. */
export type Fault = {
  /** A piece of text in the statements that it meets; all statements where it is not given. */
  readonly matching?: string
  /** The number of statements that it meets; one where it is not given. */
  readonly times?: number
} & (
  | {
      /**
       * `close`: the connection ends with nothing done, as where the server had closed it for being idle;
       * `lose`: the statement is done, and the connection ends without a byte of the answer.
       */
      readonly does: 'close' | 'lose'
    }
  | {
      /**
       * `refuse`: an error instead of the statement;
       * `break`: the statement is done, and the error stands amid the answer, behind half of its bytes.
       */
      readonly does: 'refuse' | 'break'
      readonly code: number
      readonly name: string
    }
  | {
      /** The statement begins this much later. */
      readonly does: 'hold'
      readonly time_ms: number
    }
)

type Left = { readonly fault: Fault; left: number }

/** The faults that are still to come. */
export function createFaults() {
  const all: Left[] = []
  let met = 0

  return {
    add(fault: Fault): void {
      all.push({ fault, left: fault.times ?? 1 })
    },
    clear(): void {
      all.length = 0
    },
    /** How many statements met one. */
    met: (): number => met,
    /** The fault that a statement meets. */
    take(whole: Buffer): Fault | undefined {
      if (all.length === 0) return undefined
      const text = whole.subarray(0, 4096).toString('latin1')
      const found = all.find(({ fault, left }) => left > 0 && text.includes(fault.matching ?? ''))
      if (!found) return undefined
      found.left--
      met++
      return found.fault
    },
  }
}

export type Faults = ReturnType<typeof createFaults>
