import type { ListDeletedAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Table } from '../../parts/table.tsx'
import { agoText, timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { inZone } from '../../state/time-zone.ts'

type Deleted = ListDeletedAnswer['deleted'][number]

/** Things that were removed and can be brought back for some hours. */
export function DeletedThings({ onChanged }: { readonly onChanged: () => void }) {
  const { value, refusal, again } = useAnswer((signal) => call('GET /deleted', { signal }), [], { every_ms: 10_000 })
  const back = useAction()
  const bring = (each: Deleted) =>
    back.run(async () => {
      await undelete(each)
      again()
      onChanged()
    })
  if (!value && !refusal) return null
  if (value && value.deleted.length === 0 && !back.refusal) return null
  return (
    <section class="card" aria-label="Deleted">
      <header>
        <h2>Deleted, to be brought back</h2>
      </header>
      <RefusalBox refusal={refusal ?? back.refusal} />
      <Table
        label="Things that can be brought back"
        heads={[inZone('When'), 'What', 'Name', inZone('Kept until'), { hidden: 'Actions' }]}
      >
        {value?.deleted.map((each) => (
          <tr key={`${each.what} ${each.name} ${each.ts}`}>
            <td class="when">
              {timeText(each.ts, 1)}
              <div class="small faint">{agoText(each.ts, Date.now() * 1000)}</div>
            </td>
            <td>
              <span class="badge">{each.what}</span>
            </td>
            <td class="mono">{each.name}</td>
            <td class="nowrap">{timeText(each.undo_until, 60)}</td>
            <td class="actions-cell">
              {may('define') && (
                <button
                  type="button"
                  class="button small"
                  aria-label={`Bring back ${each.what} ${each.name}`}
                  disabled={back.isRunning}
                  onClick={() => void bring(each)}
                >
                  Bring back
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

/** Names of streams and tables have two parts. */
function undelete({ what, name }: Deleted): Promise<unknown> {
  const [first = '', ...others] = name.split('.')
  const second = others.join('.')
  const ways = {
    schema: () => call('POST /stream/{schema}/undelete', { path: { schema: name } }),
    stream: () => call('POST /stream/{schema}/{stream}/undelete', { path: { schema: first, stream: second } }),
    graph: () => call('POST /graph/{graph}/undelete', { path: { graph: name } }),
    table: () => call('POST /db/{database}/{table}/undelete', { path: { database: first, table: second } }),
    bucket: () => call('POST /brs/{bucket}/undelete', { path: { bucket: name } }),
  }
  return ways[what]()
}
