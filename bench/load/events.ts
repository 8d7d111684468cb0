import { history } from '../queries/history.ts'
import type { Figure } from '../report.ts'
import { measureSections, type Section } from '../sections.ts'
import type { Size } from '../size.ts'
import type { Loader } from './load.ts'
import { singleEvents } from './single-events.ts'

const sections: readonly Section[] = [
  { what: 'single events, in turn with an echo', measure: singleEvents },
  { what: 'a history in batches, queries on it, starts on it, each in turn with its peer', measure: history },
]

/** Streams: single events, a history in batches, queries on it, starts on it. */
export const events = (folder: string, loader: Loader, size: Size): Promise<Figure[]> =>
  measureSections(sections, folder, loader, size)
