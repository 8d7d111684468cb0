import { useState } from 'preact/hooks'
import type { WatchStateAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { printJson } from '../../api/json.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { formatAgo } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { inZone } from '../../state/time-zone.ts'
import type { Watch } from './definition.ts'
import { mayDefine } from './rights.ts'
import { keyText } from './watch-words.ts'

type Silence = WatchStateAnswer['silences'][number]
type Key = Silence['key']

type SilencesProps = {
  readonly name: string
  readonly watch: Watch
  readonly silences: readonly Silence[]
  readonly alerts: WatchStateAnswer['alerts']
  readonly onChanged: () => void
}

const send = (name: string, { until, key, why }: Silence) =>
  call('PUT /saved/{saved}/silence', {
    path: { saved: name },
    body: printJson({ until, key, why }),
    headers: { 'Content-Type': 'application/json' },
  })

/** Times in which nothing is sent; states go on. */
export function Silences({ name, watch, silences, alerts, onChanged }: SilencesProps) {
  const [isNew, setNew] = useState(false)
  const ending = useAction()
  const isEditor = mayDefine(name)
  // A time that is past ends a silence: the service takes microseconds.
  const end = (silence: Silence) =>
    ending.run(async () => {
      await send(name, { ...silence, until: (Date.now() - 1000) * 1000 })
      onChanged()
    })
  return (
    <section class="card" aria-label="Silences">
      <header>
        <h2>Silences</h2>
        <p class="small soft grow">
          Nothing is sent while one lasts; states go on, and what fires at its end is sent then.
        </p>
        {isEditor && (
          <button type="button" class="button small" onClick={() => setNew(true)}>
            <Icon name="pause" />
            Silence
          </button>
        )}
      </header>
      <RefusalBox refusal={ending.refusal} />
      {silences.length === 0 ? (
        <p class="inside soft">No silence.</p>
      ) : (
        <Table label="Silences" heads={['Of', inZone('Until'), 'Why', { hidden: 'Actions' }]}>
          {silences.map((silence) => (
            <tr key={printJson(silence.key)}>
              <th scope="row">{keyText(silence.key) || 'all'}</th>
              <td class="nowrap soft">
                {timeText(silence.until, 60)} <span class="faint">({formatAgo(silence.until)})</span>
              </td>
              <td>{silence.why}</td>
              <td>
                {isEditor && (
                  <button
                    type="button"
                    class="button small"
                    disabled={ending.isRunning}
                    aria-label={`End the silence of ${keyText(silence.key) || 'all'}`}
                    onClick={() => void end(silence)}
                  >
                    End it
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {isNew && (
        <SilenceDialog name={name} watch={watch} alerts={alerts} onClose={() => setNew(false)} onDone={onChanged} />
      )}
    </section>
  )
}

const lengths = [
  ['3600', '1 hour'],
  ['14400', '4 hours'],
  ['86400', 'a day'],
  ['604800', 'a week'],
] as const

type SilenceDialogProps = Pick<SilencesProps, 'name' | 'watch' | 'alerts'> & {
  readonly onClose: () => void
  readonly onDone: () => void
}

function SilenceDialog({ name, watch, alerts, onClose, onDone }: SilenceDialogProps) {
  const [why, setWhy] = useState('')
  const [length, setLength] = useState('3600')
  const [chosen, choose] = useState('')
  const silencing = useAction()
  const keys = new Map<string, Key>(
    alerts.filter(({ about }) => about === 'key').map(({ key }) => [printJson(key), key] as const),
  )
  const put = async () => {
    const until = (Date.now() + Number(length) * 1000) * 1000
    const done = await silencing.run(async () => {
      await send(name, { until, key: keys.get(chosen) ?? {}, why })
    })
    if (!done) return
    onClose()
    onDone()
  }
  return (
    <Dialog title={`Silence ${name}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void put()
        }}
      >
        <TextField label="Why" value={why} onInput={setWhy} isRequired hint="for those who look at it later" />
        <SelectField label="For" value={length} options={lengths} onInput={setLength} />
        {(watch.key ?? []).length > 0 && (
          <SelectField
            label="Of"
            value={chosen}
            options={[['', 'all'], ...Array.from(keys, ([id, key]) => [id, keyText(key)] as const)]}
            onInput={choose}
            hint="alerts that are pending or fire can be silenced one by one"
          />
        )}
        <RefusalBox refusal={silencing.refusal} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class="button main" disabled={silencing.isRunning || why.trim() === ''}>
            Send nothing meanwhile
          </button>
        </div>
      </form>
    </Dialog>
  )
}
