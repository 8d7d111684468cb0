import { useEffect, useState } from 'preact/hooks'
import { Refusal } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import { cronOf, oftenChoices, type Times, timeInZone, timesOf, weekdayChoices } from './cron-words.ts'
import { type Definition, placeholdersIn, type Schedule, textOf, type Values, valueOf } from './definition.ts'
import { ReceiverField } from './receiver-field.tsx'
import { useBuckets } from './receivers.ts'
import { save } from './save.ts'
import { ValueFields } from './values-form.tsx'

const formats = ['CSV', 'JSON', 'JSONEachRow', 'Parquet', 'Arrow'] as const
const ends = { CSV: 'csv', JSON: 'json', JSONEachRow: 'ndjson', Parquet: 'parquet', Arrow: 'arrow' } as const
/** The next times follow the typing after a pause. */
const typing_ms = 400

type ScheduleFormProps = {
  readonly name: string
  readonly definition: Definition
  /** Its place among the others; that behind the last one for a new one. */
  readonly place: number
  readonly onClose: () => void
  readonly onDone: (notes: readonly string[]) => void
}

/** Times at which an answer goes somewhere. */
export function ScheduleForm({ name, definition, place, onClose, onDone }: ScheduleFormProps) {
  const { params, sql, schedule = [] } = definition
  const before = schedule[place]
  const [times, setTimes] = useState<Times>(() => timesOf(before?.cron ?? '0 6 * * MON'))
  const [zone, setZone] = useState(before?.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [goal, setGoal] = useState<'notification' | 'bucket'>(before?.into ? 'bucket' : 'notification')
  const [notf, setNotf] = useState(textOf(before?.notf))
  const [bucket, setBucket] = useState(before?.into?.bucket ?? '')
  const [format, setFormat] = useState<Schedule['format'] & {}>(before?.format ?? 'CSV')
  const [key, setKey] = useState(before?.into?.key ?? '')
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(Object.entries(before?.params ?? {}).map(([each, value]) => [each, textOf(value)])),
  )
  const buckets = useBuckets()
  const saving = useAction()
  const types = Object.fromEntries(placeholdersIn(sql).map((each) => [each.name, each.type]))
  const usualKey = `${name}/{date}.${ends[format]}`

  const given = Object.entries(values).filter(([, text]) => text !== '')
  const entry: Schedule = {
    ...{ cron: cronOf(times), tz: zone, format },
    ...(goal === 'bucket'
      ? { into: { bucket, key: key === '' ? usualKey : key } }
      : notf !== '' && { notf: Number(notf) }),
    ...(given.length > 0 && {
      params: Object.fromEntries(given.map(([each, text]) => [each, valueOf(text, types[each] ?? 'String')])),
    }),
  }
  const wanted = { ...definition, schedule: [...schedule.slice(0, place), entry, ...schedule.slice(place + 1)] }
  const next = useNextTimes(name, wanted, place)
  const set = (changed: Partial<Times>) => setTimes({ ...times, ...changed })

  const send = async () => {
    let notes: readonly string[] = []
    const done = await saving.run(async () => {
      notes = (await save(name, wanted)).error ?? []
    })
    if (done) onDone(notes)
  }
  return (
    <Dialog title={before ? 'Edit the schedule' : 'New schedule'} isWide onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div class="saved-fields">
          <SelectField
            label="Asked"
            value={times.often}
            options={oftenChoices}
            onInput={(value) => {
              const often = oftenChoices.find(([each]) => each === value)?.[0] ?? 'day'
              set({ often, ...(often === 'own' && { line: cronOf(times) }) })
            }}
          />
          {times.often === 'week' && (
            <SelectField
              label="On"
              value={times.weekday}
              options={weekdayChoices}
              onInput={(weekday) => set({ weekday })}
            />
          )}
          {times.often === 'month' && (
            <TextField label="On day" value={times.day} onInput={(day) => set({ day })} type="number" />
          )}
          {times.often === 'hour' && (
            <TextField
              label="At minute"
              value={String(Number(times.time.slice(3)))}
              onInput={(minute) => set({ time: `00:${minute.padStart(2, '0')}` })}
              type="number"
            />
          )}
          {['day', 'week', 'month'].includes(times.often) && (
            <TextField label="At" value={times.time} onInput={(time) => set({ time })} placeholder="06:00" />
          )}
          {times.often === 'own' && (
            <TextField
              label="Line of crontab"
              value={times.line}
              onInput={(line) => set({ line })}
              isMono
              placeholder="0 6 * * MON"
              hint="minute, hour, day of the month, month, weekday"
            />
          )}
          <TextField
            label="Time zone"
            value={zone}
            onInput={setZone}
            placeholder="Europe/Berlin"
            list={Intl.supportedValuesOf('timeZone')}
          />
        </div>
        <p class="saved-says" role="status">
          {next.due.length > 0
            ? `Next: ${next.due.map((at) => timeInZone(at, zone)).join('; ')}`
            : next.refusal === undefined && 'The next times are reckoned…'}
        </p>
        <div class="saved-fields">
          <SelectField
            label="The answer goes"
            value={goal}
            options={[
              ['notification', 'by mail or webhook'],
              ['bucket', 'into a file of Objects'],
            ]}
            onInput={(value) => setGoal(value === 'bucket' ? 'bucket' : 'notification')}
          />
          {goal === 'notification' ? (
            <ReceiverField value={notf} onInput={setNotf} none="choose" />
          ) : (
            <>
              <TextField label="Bucket" value={bucket} onInput={setBucket} isRequired list={buckets} />
              <TextField
                label="Name of the file"
                value={key}
                onInput={setKey}
                placeholder={usualKey}
                isMono
                hint="{date}, {hour} and {minute} are those of the due time"
              />
            </>
          )}
          <SelectField
            label="As"
            value={format}
            options={formats.map((each) => [each, each === 'JSONEachRow' ? 'JSON lines' : each] as const)}
            onInput={(value) => setFormat(formats.find((each) => each === value) ?? 'CSV')}
          />
        </div>
        {Object.keys(params).length > 0 && (
          <fieldset class="saved-fields">
            <legend>Values of the parameters</legend>
            <ValueFields params={params} types={types} values={values} onInput={setValues} />
          </fieldset>
        )}
        <RefusalBox refusal={saving.refusal ?? next.refusal} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class="button main" disabled={saving.isRunning}>
            Save the schedule
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type Next = { readonly due: readonly number[]; readonly refusal: Refusal | undefined }

/** The next times of an entry as the service reckons them, without saving it. */
function useNextTimes(name: string, wanted: Definition, place: number): Next {
  const [next, setNext] = useState<Next>({ due: [], refusal: undefined })
  const text = JSON.stringify(wanted, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  useEffect(() => {
    const { notf, into } = wanted.schedule?.[place] ?? {}
    const isWhole = notf !== undefined || (into !== undefined && into.bucket !== '')
    const gone = new AbortController()
    const timer = setTimeout(async () => {
      try {
        // The times of an entry that goes nowhere yet are those of one that goes to any notification.
        const schedule = wanted.schedule?.map((each, at) => (at === place && !isWhole ? elsewhere(each) : each))
        const answer = await save(
          name,
          { ...wanted, ...(schedule && { schedule }) },
          { isDry: true, signal: gone.signal },
        )
        setNext({ due: answer.due_times?.[place] ?? [], refusal: undefined })
      } catch (error) {
        if (!gone.signal.aborted && error instanceof Refusal) setNext({ due: [], refusal: error })
      }
    }, typing_ms)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [text])
  return next
}

const elsewhere = ({ into: _, ...entry }: Schedule): Schedule => ({ ...entry, notf: 0 })
