import type { Cluster } from './cluster.ts'

type Shared = { readonly cluster: Cluster; readonly connected: Promise<void>; users: number }

/** How long a connection is kept that nothing uses. */
const idle_ms = 1_000

/** One connection for questions that come together; a failure of any has the next questions ask by a new one. */
export function createSharedCluster(create: () => Cluster) {
  let current: Shared | undefined

  function take(): Shared {
    if (!current) {
      const cluster = create()
      current = { cluster, connected: cluster.connect(), users: 0 }
    }
    current.users++
    return current
  }

  function end(shared: Shared): void {
    if (current === shared) current = undefined
    if (shared.users === 0) void shared.cluster.disconnect().catch(() => {})
  }

  function leave(shared: Shared): void {
    shared.users--
    if (shared.users > 0) return
    if (current !== shared) end(shared)
    else setTimeout(() => shared.users === 0 && end(shared), idle_ms).unref()
  }

  return {
    async use<Answer>(question: (cluster: Cluster) => Promise<Answer>): Promise<Answer> {
      const shared = take()
      try {
        await shared.connected
        return await question(shared.cluster)
      } catch (error) {
        if (current === shared) current = undefined
        throw error
      } finally {
        leave(shared)
      }
    },
  }
}
