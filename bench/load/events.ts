import { join } from 'node:path'
import { history } from '../queries/history.ts'
import type { Figure } from '../report.ts'
import type { Size } from '../size.ts'
import type { Loader } from './load.ts'
import { singleEvents } from './single-events.ts'

/** Streams: single events, a history in batches, queries on it, starts on it. */
export async function events(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  console.error('single events, in turn with an echo ...')
  const single = await singleEvents(join(folder, 'single'), loader, size)
  console.error('a history in batches, queries on it, starts on it, each in turn with its peer ...')
  return [...single, ...(await history(join(folder, 'history'), loader, size))]
}
