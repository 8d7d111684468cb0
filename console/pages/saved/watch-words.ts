/** The alert of a question in words, and the form of it. */
import { durationText } from '../../parts/time-text.ts'
import { itemsOf, textOf, type Watch } from './definition.ts'

/** An alert as its form has it; texts of seconds, and empty ones for what is absent. */
export type WatchDraft = {
  readonly every: string
  readonly when: string
  readonly key: readonly string[]
  readonly for: string
  readonly keep: string
  readonly again: string
  readonly no_rows: NonNullable<Watch['no_rows']>
  readonly error: NonNullable<Watch['error']>
  readonly notf: string
  readonly format: NonNullable<Watch['format']>
  /** `team=shop, page=home`. */
  readonly labels: string
}

export const draftOfWatch = (watch: Partial<Watch>): WatchDraft => ({
  every: String(watch.every ?? 60),
  when: watch.when ?? '',
  key: watch.key ?? [],
  for: String(watch.for ?? 0),
  keep: String(watch.keep ?? 0),
  again: watch.again === undefined ? '' : String(watch.again),
  no_rows: watch.no_rows ?? 'resolved',
  error: watch.error ?? 'alert',
  notf: watch.notf === undefined ? '' : String(watch.notf),
  format: watch.format ?? 'weir',
  labels: Object.entries(watch.labels ?? {})
    .map(([name, text]) => `${name}=${text}`)
    .join(', '),
})

export function watchOf(draft: WatchDraft): Watch {
  const { every, when, key, for: holds, keep, again, no_rows, error, notf, format, labels } = draft
  const named = itemsOf(labels).map((item): [string, string] => {
    const [name = '', ...text] = item.split('=')
    return [name.trim(), text.join('=').trim()]
  })
  return {
    ...{ every: Number(every), when: when.trim(), for: Number(holds), keep: Number(keep), no_rows, error, format },
    ...(key.length > 0 && { key }),
    ...(again !== '' && { again: Number(again) }),
    ...(notf !== '' && { notf: Number(notf) }),
    ...(named.length > 0 && { labels: Object.fromEntries(named) }),
  }
}

/** All of an alert in sentences. */
export function watchText(watch: Watch): string {
  const { every = 60, when, key = [], for: holds = 0, keep = 0, again, no_rows, error, notf } = watch
  const each = key.length === 0 ? 'the answer as a whole' : `each ${key.join(' and ')} by itself`
  const lasting = holds === 0 ? 'at once' : `once that has held for ${durationText(holds)}`
  const ends = keep === 0 ? 'as soon as it holds no more' : `${durationText(keep)} after it holds no more`
  const told =
    notf === undefined
      ? 'Nothing is sent: this page alone shows it.'
      : `Notification ${notf} is sent when it fires${again === undefined ? '' : `, again every ${durationText(again)}`} and when it resolves.`
  return [
    `The question is asked every ${durationText(every)}, for ${each}: where ${when || '…'} an alert fires ${lasting}, and resolves ${ends}.`,
    ...(no_rows === 'alert' ? ['No rows are an alert of their own.'] : []),
    ...(no_rows === 'keep' ? ['No rows change nothing.'] : []),
    ...(error === 'keep' ? ['Where it cannot be asked nothing is sent.'] : []),
    told,
  ].join(' ')
}

/** The values of a key as people read them. */
export const keyText = (key: Readonly<Record<string, unknown>>): string =>
  Object.values(key)
    .map((value) => textOf(value) || '(empty)')
    .join(' · ')

/** The subject of an alert, as people read it. */
export function subjectText({
  about,
  key,
}: {
  readonly about: string
  readonly key: Readonly<Record<string, unknown>>
}): string {
  if (about === 'error') return 'cannot be asked'
  if (about === 'no_rows') return 'no rows'
  return keyText(key) || 'the whole answer'
}

/** The limit in a condition that compares one column with a number; undefined for all others. */
export function limitIn(when: string): number | undefined {
  const [, number] = /^\s*[\w.]+\s*(?:>=?|<=?)\s*(-?\d+(?:\.\d+)?)\s*$/.exec(when) ?? []
  return number === undefined ? undefined : Number(number)
}
