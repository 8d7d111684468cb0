import type { Config } from '../../infra/config.ts'
import { createRateLimit } from '../../infra/limits/rate-limit.ts'
import type { World } from '../../infra/world.ts'
import { createAudit } from '../audit/audit.ts'
import { createKeyEngine } from './engine.ts'

/** Keys, the rate limit and the audit. Closes the world where the keys cannot be opened: no client could get in. */
export async function openAuth({ config, world }: { readonly config: Config; readonly world: World }) {
  const keys = createKeyEngine({ config, world })
  await keys.open().catch(async (error: unknown) => {
    await world.close()
    throw error
  })
  const audit = createAudit(world)
  const limit = createRateLimit(config.RATE_LIMIT)

  return {
    keys,
    audit,
    limit,
    async close(): Promise<void> {
      await keys.close()
      await audit.close()
      limit.close()
    },
  }
}
