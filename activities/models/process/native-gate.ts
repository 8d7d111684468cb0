/** Runs a training's calls of ONNX Runtime: a thread that is ended inside of one takes the whole process along. */
export type Guard = <Result>(work: () => Promise<Result>) => Promise<Result>

const [closed, inside] = [0, 1]

/** Shared by a thread and the code that may end it. */
export const createGate = (): Int32Array => new Int32Array(new SharedArrayBuffer(8))

/** Outside: from now on nothing goes in. Answers whether the thread is outside, so that it may be ended at once; else it ends by itself. */
export function closeGate(gate: Int32Array): boolean {
  Atomics.store(gate, closed, 1)
  return Atomics.load(gate, inside) === 0
}

/** The thread's side of the gate. Each side writes its own word before it reads the other's, so one of them sees the other. */
export const guardOf =
  (gate: Int32Array): Guard =>
  async (work) => {
    const refuse = (): void => {
      if (Atomics.load(gate, closed) === 1) throw new Error('the training was stopped')
    }
    Atomics.store(gate, inside, 1)
    try {
      refuse()
      return await work()
    } finally {
      Atomics.store(gate, inside, 0)
      refuse()
    }
  }

/** For a thread that no code ends. */
export const unguarded: Guard = (work) => work()
