import { Refusal } from '../../base/refusal.ts'

/** The first bad rows that a refusal or a log line names. */
const maxNamed = 10

/** The share of rows that may be left out, unless a request says otherwise. */
export const usualBadShare = 0.05

export type BadRowsOptions = {
  readonly badRows?: 'fail' | 'skip' | undefined
  readonly maxBadShare?: number | undefined
}

/** Counts the rows of training data that cannot be taken. */
export function createBadRows({ badRows = 'fail', maxBadShare = usualBadShare }: BadRowsOptions) {
  const named: string[] = []
  let count = 0

  const sentence = (): string => {
    const more = count > named.length ? `; and ${(count - named.length).toLocaleString('en-US')} more` : ''
    return `${named.join('; ')}${more}`
  }

  return {
    add: (fault: string, file = ''): void => {
      count += 1
      if (named.length < maxNamed) named.push(file === '' ? fault : `${file}: ${fault}`)
    },
    /** A line for the log where rows are left out. Throws a `Refusal` where none may be, or fewer. */
    finish: (good: number): string | undefined => {
      if (count === 0) return undefined
      if (badRows === 'fail') throw new Refusal(sentence())
      const rows = `${count.toLocaleString('en-US')} of ${(count + good).toLocaleString('en-US')} rows`
      if (count > maxBadShare * (count + good)) {
        throw new Refusal(`${rows} are bad, more than max_bad_share ${maxBadShare} allows: ${sentence()}`)
      }
      return `bad rows left out, ${rows}: ${sentence()}`
    },
  }
}
