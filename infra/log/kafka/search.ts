import type { KafkaClient } from './client.ts'
import type { Offsets, PartitionEnd } from './topics.ts'

/** Lines as `encodeEvent` writes them begin with `_pk` and `_seq`. */
const seqOf = /^\{"_pk":\d+,"_seq":(\d+)/gm

/** Which of `wanted`, values of `_seq`, stand in a topic between `from` and `ends`. */
export async function searchTopic(
  client: KafkaClient,
  topic: string,
  { from, ends, wanted }: { from: Offsets; ends: readonly PartitionEnd[]; wanted: ReadonlySet<number> },
): Promise<Set<number>> {
  const found = new Set<number>()
  const ranges = ends.map(({ partition, first, end }) => ({
    partition,
    first: Math.max(first, from.get(partition) ?? first),
    end,
  }))
  await client.read(
    topic,
    ranges.filter(({ first, end }) => first < end),
    (value) => {
      for (const [, text] of value.toString('utf8').matchAll(seqOf)) {
        const seq = Number(text)
        if (wanted.has(seq)) found.add(seq)
      }
    },
  )
  return found
}
