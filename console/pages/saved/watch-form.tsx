import { useState } from 'preact/hooks'
import type { Refusal } from '../../api/client.ts'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx'
import { HelpLink } from '../../parts/help-link.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { durationText } from '../../parts/time-text.ts'
import { answerRows } from './answer-rows.ts'
import { Backtest } from './backtest.tsx'
import type { Watch } from './definition.ts'
import { ReceiverField } from './receiver-field.tsx'
import { draftOfWatch, type WatchDraft, watchOf, watchText } from './watch-words.ts'

/** Seconds that a reader chooses among, with the one that is set. */
const secondsOf = (value: string, usual: readonly number[], nothing?: string): [string, string][] => {
  const all = [...new Set([...usual, ...(value === '' ? [] : [Number(value)])])].sort((a, b) => a - b)
  const options = all.map((each): [string, string] => [String(each), each === 0 ? 'at once' : durationText(each)])
  return nothing === undefined ? options : [['', nothing], ...options]
}

type WatchFormProps = {
  readonly name: string
  /** The alert as it is; what a new one begins with. */
  readonly watch: Partial<Watch>
  readonly refusal: Refusal | undefined
  readonly isRunning: boolean
  readonly onSave: (watch: Watch) => void
  readonly onClose?: (() => void) | undefined
}

/** The condition of an alert, its times and its receivers; it is tried over the past before it is saved. */
export function WatchForm({ name, watch, refusal, isRunning, onSave, onClose }: WatchFormProps) {
  const [draft, setDraft] = useState(() => draftOfWatch(watch))
  const set = (changed: Partial<WatchDraft>) => setDraft({ ...draft, ...changed })
  const sample = useAnswer(
    async (signal) => {
      const answer = await call('GET /saved/{saved}/rows', { path: { saved: name }, query: { limit: 20 }, signal })
      return typeof answer === 'string' ? undefined : answerRows(answer.rows)
    },
    [name],
  )
  const columns = sample.value?.columns ?? []
  const keys = [
    ...new Set([...columns.filter(({ kind }) => kind !== 'number').map((column) => column.name), ...draft.key]),
  ]
  return (
    <>
      <form
        class="card saved-inside stack saved-alert"
        aria-label="Alert"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(watchOf(draft))
        }}
      >
        <p class="saved-says" role="status">
          {watchText(watchOf(draft))}
        </p>
        <div class="saved-fields">
          <TextField
            label="It is an alert when"
            value={draft.when}
            onInput={(when) => set({ when })}
            isRequired
            isMono
            placeholder="visits > 100"
            hint={
              <>
                {columns.length > 0
                  ? `a condition on the columns ${columns.map((column) => column.name).join(', ')}. `
                  : 'a condition on the columns of the answer. '}
                <HelpLink to="saved#watch-it">How it is written</HelpLink>
              </>
            }
          />
          <SelectField
            label="The question is asked every"
            value={draft.every}
            options={secondsOf(draft.every, [10, 30, 60, 300, 900, 3600, 86_400])}
            onInput={(every) => set({ every })}
          />
          <SelectField
            label="It fires when that has held for"
            value={draft.for}
            options={secondsOf(draft.for, [0, 60, 180, 300, 900, 3600])}
            onInput={(value) => set({ for: value })}
            hint="longer: a single bad minute wakes nobody"
          />
          <SelectField
            label="It resolves after it has not held for"
            value={draft.keep}
            options={secondsOf(draft.keep, [0, 60, 300, 900, 3600])}
            onInput={(keep) => set({ keep })}
            hint="longer: what comes and goes is one alert"
          />
        </div>
        <fieldset class="stack tight">
          <legend>One alert for each</legend>
          {keys.length > 0 ? (
            <div class="row">
              {keys.map((column) => (
                <CheckField
                  key={column}
                  label={<span class="mono">{column}</span>}
                  isOn={draft.key.includes(column)}
                  onChange={(isOn) =>
                    set({ key: isOn ? [...draft.key, column] : draft.key.filter((each) => each !== column) })
                  }
                />
              ))}
            </div>
          ) : (
            <p class="small soft">The answer has no column of texts, so it has one alert.</p>
          )}
          {keys.length > 0 && (
            <p class="small faint">
              {draft.key.length === 0
                ? 'No column: one alert, which fires while any row is like that.'
                : 'An answer has to have one row for each.'}
            </p>
          )}
        </fieldset>
        <div class="saved-fields">
          <ReceiverField value={draft.notf} onInput={(notf) => set({ notf })} none="none: this page alone shows it" />
          <SelectField
            label="Sent again while it fires"
            value={draft.again}
            options={secondsOf(draft.again, [900, 3600, 14_400, 86_400], 'never')}
            onInput={(again) => set({ again })}
          />
          <SelectField
            label="Form of a webhook"
            value={draft.format}
            options={[
              ['weir', "Weir's own"],
              ['alertmanager', "Alertmanager's"],
            ]}
            onInput={(format) => set({ format: format === 'alertmanager' ? format : 'weir' })}
          />
          <TextField
            label="Labels that go along"
            value={draft.labels}
            onInput={(labels) => set({ labels })}
            placeholder="team=shop, urgency=page"
          />
          <SelectField
            label="An answer without rows"
            value={draft.no_rows}
            options={[
              ['resolved', 'means that nothing is wrong'],
              ['alert', 'is an alert of its own'],
              ['keep', 'changes nothing'],
            ]}
            onInput={(value) => set({ no_rows: value === 'alert' || value === 'keep' ? value : 'resolved' })}
          />
          <SelectField
            label="A question that cannot be asked"
            value={draft.error}
            options={[
              ['alert', 'is an alert of its own'],
              ['keep', 'is shown here alone'],
            ]}
            onInput={(value) => set({ error: value === 'keep' ? value : 'alert' })}
          />
        </div>
        <RefusalBox refusal={refusal} />
        <div class="saved-actions">
          {onClose && (
            <button type="button" class="button" onClick={onClose}>
              Leave it
            </button>
          )}
          <button type="submit" class="button main" disabled={isRunning || draft.when.trim() === ''}>
            Save the alert
          </button>
        </div>
      </form>
      {draft.when.trim() !== '' && <Backtest name={name} watch={watchOf(draft)} />}
    </>
  )
}
