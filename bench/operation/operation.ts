import { join } from 'node:path'
import type { Loader } from '../load/load.ts'
import type { Figure } from '../report.ts'
import type { Size } from '../size.ts'
import { backups } from './backups.ts'
import { costs } from './costs.ts'

/** The cost of keys, limits, notifications and backups for clients that send events. */
export async function operation(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  console.error('single events with and without keys, notifications and an endpoint that hangs, in turn ...')
  const found = await costs(join(folder, 'costs'), loader, size)
  console.error('backups under load ...')
  return [...found, ...(await backups(join(folder, 'backups'), loader, size))]
}
