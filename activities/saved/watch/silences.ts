import { fault } from '../../../base/faults.ts'
import type { Json } from '../../../base/json.ts'
import type { Exclusively } from '../../../base/mutex.ts'
import type { Alert } from './states.ts'
import { type Silence, silencePart, textOf, type WatchStore } from './store.ts'

export type SilencesDeps = {
  readonly store: Pick<WatchStore, 'silences' | 'putSilence' | 'knownSilences' | 'forgetOtherSilences'>
  readonly exclusively: Exclusively
  readonly now_us: () => number
}

const maxSilences = 100
/** Silences that have ended are forgotten once a watch has more of them. */
const maxEnded = 200

/** A silence may name a number as a text. */
const isSameValue = (one: Json | undefined, other: Json): boolean => one !== undefined && textOf(one) === textOf(other)

/** Whether one of the silences is of an alert of a watch. */
export const isSilencedBy =
  (silences: readonly Silence[], name: string) =>
  ({ key }: Pick<Alert, 'key'>): boolean =>
    silences.some(
      (silence) =>
        silence.name === name &&
        Object.entries(silence.key).every(([column, value]) => isSameValue(key[column], value)),
    )

/** Silences: times in which nothing of an alert is sent. One of the same key takes the place of the one before. */
export function createSilences({ store, exclusively, now_us }: SilencesDeps) {
  return {
    of: (name: string): Promise<Silence[]> => store.silences(now_us(), name),

    put: (silence: Silence): Promise<void> =>
      exclusively(async () => {
        const { name } = silence
        const part = silencePart(silence.key)
        const kept = await store.silences(now_us(), name)
        // Weir 0.1 kept the same key once for each order of its members.
        const same = kept.filter(({ key }) => silencePart(key) === part)
        if (kept.length - same.length >= maxSilences)
          throw fault(
            'conflict',
            `${name} has ${maxSilences} silences, which is the most; end some by an until that is past`,
          )
        const { parts, version } = await store.knownSilences(name)
        if (parts - kept.length > maxEnded)
          await store.forgetOtherSilences(
            name,
            kept.map((each) => each.part),
          )
        await store.putSilence(
          silence,
          // Above the rows before, which may be of a time when the computer's clock was ahead.
          Math.max(now_us(), version + 1),
          same.map((each) => each.part),
        )
      }),
  }
}

export type Silences = ReturnType<typeof createSilences>
