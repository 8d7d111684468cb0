import { useState } from 'preact/hooks'
import { call, fetchCall, Refusal } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { formatAgo, formatBytes } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { saveResponse } from '../../parts/save-file.ts'

const [usual_ms, busy_ms] = [10_000, 500]

/** A copy of all data of one moment, and the progress of one that is under way, from any client. */
export function Backup() {
  const [refused, setRefused] = useState<Refusal>()
  const [isOurs, setOurs] = useState(false)
  const [isUnderWay, setUnderWay] = useState(false)
  const { value, refusal, again } = useAnswer(
    async (signal) => {
      const progress = await call('GET /backup', { signal })
      setUnderWay(progress.state === 'taking' || progress.state === 'sending')
      return progress
    },
    [],
    { every_ms: isUnderWay || isOurs ? busy_ms : usual_ms },
  )

  async function take(): Promise<void> {
    setRefused(undefined)
    setOurs(true)
    try {
      const day = new Date().toISOString().slice(0, 10)
      await saveResponse(`weir-${day}.tar`, () => fetchCall('POST /backup'))
    } catch (error) {
      if (error instanceof Refusal) setRefused(error)
    }
    setOurs(false)
    again()
  }

  const { state = 'none', sent_bytes = 0, total_bytes, ended } = value ?? {}
  return (
    <section class="card" aria-labelledby="backup">
      <header>
        <h2 id="backup" class="grow">
          Backup
        </h2>
        <button type="button" class="button" disabled={isUnderWay || isOurs} onClick={() => void take()}>
          <Icon name="download" />
          Save a backup
        </button>
      </header>
      <div class="inside stack tight">
        <RefusalBox refusal={refused ?? refusal} />
        {isUnderWay && (
          <Progress
            label={state === 'taking' ? 'Copying within the service' : 'Sending'}
            share={total_bytes === undefined ? undefined : Math.min(1, sent_bytes / total_bytes)}
            {...(total_bytes !== undefined && { says: `${formatBytes(sent_bytes)} of ${formatBytes(total_bytes)}` })}
          />
        )}
        {state === 'none' && <p class="soft">No backup was taken since this process started.</p>}
        {ended !== undefined && (
          <p class="soft">
            The last one {state === 'done' ? 'went out whole' : 'broke off'}, {formatAgo(ended)}
            {state === 'done' && `: ${formatBytes(sent_bytes)}`}.
          </p>
        )}
        <p class="small faint">
          All data of one moment, as a tar; npm run restore brings it back. It has the hashes of keys: keep it safe.
        </p>
      </div>
    </section>
  )
}
