import { setImmediate as nextTurn } from 'node:timers/promises'

/** Sorted at a time: some milliseconds. */
const runLength = 5_000

type Run = { readonly keys: readonly Buffer[]; next: number }

/** The keys in the order of their UTF-8 bytes; other work gets its turn while they are sorted. */
export async function* inOrder(keys: AsyncIterable<string>): AsyncGenerator<string> {
  const runs: Run[] = []
  let run: Buffer[] = []
  const end = async () => {
    runs.push({ keys: run.sort(Buffer.compare), next: 0 })
    run = []
    await nextTurn()
  }
  for await (const key of keys) {
    run.push(Buffer.from(key))
    if (run.length === runLength) await end()
  }
  await end()
  const heap = runs.filter(({ keys }) => keys.length > 0).sort((a, b) => Buffer.compare(head(a), head(b)))
  for (let [min] = heap; min; [min] = heap) {
    yield head(min).toString()
    min.next++
    if (min.next === min.keys.length) {
      const last = heap.pop()
      if (last === undefined || last === min) continue
      heap[0] = last
    }
    sink(heap)
  }
}

const head = ({ keys, next }: Run): Buffer => keys[next] ?? Buffer.alloc(0)

/** Brings the first run of a binary heap to its place. */
function sink(heap: Run[]): void {
  for (let place = 0; ; ) {
    const [left, right] = [2 * place + 1, 2 * place + 2]
    let min = place
    for (const child of [left, right]) {
      const [a, b] = [heap[child], heap[min]]
      if (a && b && Buffer.compare(head(a), head(b)) < 0) min = child
    }
    const [up, down] = [heap[min], heap[place]]
    if (min === place || !up || !down) return
    heap[place] = up
    heap[min] = down
    place = min
  }
}
