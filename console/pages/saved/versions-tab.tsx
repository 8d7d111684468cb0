import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { printJson } from '../../api/json.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { inZone } from '../../state/time-zone.ts'
import { definitionOf, type QuestionProps } from './definition.ts'
import { mayDefine } from './rights.ts'
import { save } from './save.ts'

/** The versions of a question, of which an older one can be seen and made the latest again. */
export function VersionsTab({ described, onChanged }: QuestionProps) {
  const { name, versions, version: latest } = described
  const [shown, show] = useState<number>()
  return (
    <section class="card" aria-label="Versions">
      <Table label="Versions" heads={[{ number: 'Version' }, inZone('Saved'), 'By', { hidden: 'Actions' }]}>
        {versions.map(({ version, at, by }) => (
          <tr key={version}>
            <th scope="row" class="number">
              {version} {version === latest && <span class="badge good">latest</span>}
            </th>
            <td class="nowrap soft">{timeText(at, 1)}</td>
            <td class="mono">{by}</td>
            <td>
              <button
                type="button"
                class="button small"
                aria-label={`Show version ${version}`}
                onClick={() => show(version)}
              >
                Show
              </button>
            </td>
          </tr>
        ))}
      </Table>
      {shown !== undefined && (
        <VersionDialog
          name={name}
          version={shown}
          isLatest={shown === latest}
          onClose={() => show(undefined)}
          onRestored={() => {
            show(undefined)
            onChanged()
          }}
        />
      )}
    </section>
  )
}

type VersionDialogProps = {
  readonly name: string
  readonly version: number
  readonly isLatest: boolean
  readonly onClose: () => void
  readonly onRestored: () => void
}

function VersionDialog({ name, version, isLatest, onClose, onRestored }: VersionDialogProps) {
  const { value, refusal } = useAnswer(
    (signal) => call('GET /saved/{saved}', { path: { saved: name }, query: { version }, signal }),
    [name, version],
  )
  const restoring = useAction()
  const restore = async () => {
    if (!value) return
    if (await restoring.run(async () => void (await save(name, definitionOf(value))))) onRestored()
  }
  return (
    <Dialog title={`Version ${version} of ${name}`} isWide onClose={onClose}>
      <div class="stack">
        {value ? <VersionText definition={definitionOf(value)} /> : !refusal && <Skeleton lines={6} />}
        <RefusalBox refusal={refusal ?? restoring.refusal} />
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        {!isLatest && mayDefine(name) && (
          <button
            type="button"
            class="button main"
            disabled={!value || restoring.isRunning}
            onClick={() => void restore()}
          >
            Make it the latest
          </button>
        )}
      </div>
    </Dialog>
  )
}

function VersionText({ definition: { sql, ...rest } }: { readonly definition: ReturnType<typeof definitionOf> }) {
  return (
    <>
      <pre class="answer-text">{sql}</pre>
      <pre class="answer-text">{printJson(rest, 2)}</pre>
    </>
  )
}
