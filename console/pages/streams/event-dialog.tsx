import { parseJson, printJson } from '../../api/json.ts'
import { Code } from '../../parts/code.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { timeText } from '../../parts/time-text.ts'
import { zoneName } from '../../state/time-zone.ts'
import { isObject } from './wire-schema.ts'

/** An event as it is stored. */
export function EventDialog({ event, onClose }: { readonly event: string; readonly onClose: () => void }) {
  const value = parseJson(event)
  const time = isObject(value) ? Number(value._pk) : Number.NaN
  return (
    <Dialog title={Number.isNaN(time) ? 'Event' : `Event of ${timeText(time)} ${zoneName()}`} onClose={onClose} isWide>
      <Code text={printJson(value, 2)} />
    </Dialog>
  )
}
