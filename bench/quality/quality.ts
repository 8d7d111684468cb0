import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureModelReferences } from '../../scripts/parts/model-references.js'
import type { Loader } from '../load/load.ts'
import { createModelClient } from '../models/model-client.ts'
import type { Figure } from '../report.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { measureTables } from './tables.ts'
import { measureTexts } from './text-models.ts'

/** Nothing is timed here, and the threads that train come after the one that answers. */
const pause_ms = 200

/** How well models predict rows that they have not seen, beside models of others that learnt from the same rows. */
export async function quality(folder: string, _: Loader, size: Size): Promise<Figure[]> {
  await mkdir(folder, { recursive: true })
  const packages = await ensureModelReferences()
  if (packages === undefined)
    return [{ part: 'quality', what: 'models beside those of others', weir: '', beside: 'no peer here', target: '' }]
  const service = await startService(join(folder, 'service'))
  try {
    const place = { folder, packages, service, client: createModelClient(service.base, pause_ms) }
    return [...(await measureTables(place, size)), ...(await measureTexts(place, size))]
  } finally {
    await service.close()
  }
}
