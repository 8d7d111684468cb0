import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatAgo } from '../../parts/format.ts'
import type { Asked } from './asked.ts'
import { forgetHistory, history } from './history.ts'

const languages = { weir: 'Weir', sql: 'SQL', graph: 'Graph' } as const

type HistoryDialogProps = {
  readonly of: readonly Asked['language'][]
  readonly onChoose: (asked: Asked) => void
  readonly onClose: () => void
}

/** The statements that were asked in this browser before. */
export function HistoryDialog({ of, onChoose, onClose }: HistoryDialogProps) {
  const all = history.value.filter(({ language }) => of.includes(language))
  return (
    <Dialog title="History" isWide onClose={onClose}>
      {all.length === 0 ? (
        <Empty title="Nothing was asked yet">
          <p>Statements that you run are kept here, in this browser alone.</p>
        </Empty>
      ) : (
        <div class="stack">
          <ul class="history">
            {all.map((asked) => (
              <li key={`${asked.language} ${asked.place} ${asked.text}`}>
                <button type="button" onClick={() => onChoose(asked)}>
                  <span class="mono">{asked.text.length > 300 ? `${asked.text.slice(0, 300)}...` : asked.text}</span>
                  <span class="soft small">
                    {languages[asked.language]}
                    {asked.language !== 'sql' && `, ${asked.place}`}, {formatAgo(asked.at_ms * 1000)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <div class="row spread">
            <p class="soft small">Kept in this browser alone; without keys.</p>
            <button type="button" class="button small" onClick={forgetHistory}>
              Forget all
            </button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
