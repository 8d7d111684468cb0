import type { KafkaTopics } from '../topics.ts'

/** The members of a group that was left have not gone before its broker misses them. */
const removeAgain_ms = 60_000

/** Consumer groups that were left: Kafka lets them go once their last member has gone. */
export function createLeftGroups(topics: Pick<KafkaTopics, 'removeGroup'>) {
  const left = new Set<string>()
  let isRemoving = false
  let isClosed = false

  async function removeAll(): Promise<void> {
    for (const group of left) {
      if (isClosed) return
      const isGone = await topics.removeGroup(group).then(
        () => true,
        () => false,
      )
      if (isGone) left.delete(group)
    }
  }

  function remove(): void {
    if (isRemoving) return
    isRemoving = true
    void removeAll().finally(() => {
      isRemoving = false
      if (left.size > 0 && !isClosed) setTimeout(remove, removeAgain_ms).unref()
    })
  }

  return {
    add: (group: string): unknown => left.add(group),
    /** Begins to remove them, again and again until all are gone. */
    remove,
    close(): void {
      isClosed = true
    },
  }
}
