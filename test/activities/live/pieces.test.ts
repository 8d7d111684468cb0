import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createPieces } from '../../../activities/live/pieces.ts'

const followed = (stream: string) =>
  ({
    name: stream,
    target: {
      schema: { name: 's' },
      stream: { name: stream, kind: 'input', attributes: [] },
      columns: { all: [], declared: [] },
    },
  }) as never

test('streams whose reads take long have their turns among themselves, and hold up no other', async (t) => {
  const held: (() => void)[] = []
  const pieces = createPieces({
    clickhouse: {
      async read({ text }: { readonly text: string }) {
        if (!/quick/.test(text)) await new Promise<void>((resolve) => held.push(resolve))
        return Buffer.from('')
      },
    } as never,
  })
  t.teardown(pieces.close)
  let place = 0
  const read = (stream: string) => pieces.behind(followed(stream), { seq: ++place }, place + 1, 1_000_000)
  // Two that were never slow before take both places for a while.
  const first = [read('slow1'), read('slow2')]
  await sleep(1_100)
  for (const end of held.splice(0)) end()
  await Promise.all(first)
  const second = [read('slow1'), read('slow2'), read('slow1')]
  await sleep(10)
  t.is(held.length, 1, 'one of them is read at a time')
  await read('quick')
  for (let left = second.length; left > 0; left--) {
    held.pop()?.()
    await sleep(10)
  }
  await Promise.all(second)
})
