import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatAgo } from '../../parts/format.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { inZone } from '../../state/time-zone.ts'
import { timeOfSend } from './time-of-send.ts'

const tones = { pending: 'warn', delivered: 'good', failed: 'bad' } as const

/** The latest hundred deliveries: which arrived, which are tried again and when, and why. */
export function Deliveries({ id }: { readonly id: number }) {
  const retrying = useAction()
  const { value, refusal, again } = useAnswer(
    (signal) => call('GET /db/notification/{notification}/deliveries', { path: { notification: id }, signal }),
    [id],
    { every_ms: 2000 },
  )
  const deliveries = value?.deliveries ?? []
  const retry = (send: string, endpoint: string) =>
    retrying.run(async () => {
      await call('POST /db/notification/{notification}/deliveries/retry', {
        path: { notification: id },
        body: { id: send, endpoint },
      })
      again()
    })
  return (
    <section class="card">
      <header>
        <h2>Deliveries</h2>
        <p class="small soft">The latest hundred. What does not arrive is tried again for 24 hours.</p>
      </header>
      <RefusalBox refusal={refusal ?? retrying.refusal} />
      {!value && !refusal && <Skeleton lines={4} />}
      {value && deliveries.length === 0 && (
        <Empty title="Nothing was sent yet" icon="notifications">
          <p>
            An event that passes a filter with <code>"notf": {id}</code> is sent.
          </p>
        </Empty>
      )}
      {deliveries.length > 0 && (
        <Table
          label="Deliveries"
          heads={[inZone('Sent'), 'To', 'State', { number: 'Tries' }, 'Last answer', 'Next try', { hidden: 'Actions' }]}
        >
          {deliveries.map((each) => {
            const sent = timeOfSend(each.id)
            return (
              <tr key={`${each.id} ${each.endpoint}`}>
                <td class="nowrap soft">{sent === undefined ? each.id : timeText(sent, 1)}</td>
                <td class="mono goes-to">{each.endpoint}</td>
                <td>
                  <span class={`badge ${tones[each.state]}`}>{each.state}</span>
                </td>
                <td class="number">{each.tries}</td>
                <td class="small">
                  {each.status !== null && <span class="badge">{each.status}</span>} {each.error}
                </td>
                <td class="nowrap soft">{each.next_try === null ? '–' : formatAgo(each.next_try)}</td>
                <td>
                  {each.state !== 'delivered' && may('define') && (
                    <button
                      type="button"
                      class="button small"
                      aria-label={`Try now: ${each.endpoint}`}
                      disabled={retrying.isRunning}
                      onClick={() => void retry(each.id, each.endpoint)}
                    >
                      Try now
                    </button>
                  )}
                </td>
              </tr>
            )
          })}
        </Table>
      )}
    </section>
  )
}
