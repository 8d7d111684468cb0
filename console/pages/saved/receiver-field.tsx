import { SelectField, TextField } from '../../parts/fields.tsx'
import { useTemplates } from './receivers.ts'

type ReceiverFieldProps = {
  /** The number of a template of notifications; empty for none. */
  readonly value: string
  readonly onInput: (value: string) => void
  /** The choice that sends nothing. */
  readonly none: string
}

/** The template of notifications that is sent. */
export function ReceiverField({ value, onInput, none }: ReceiverFieldProps) {
  const templates = useTemplates()
  const hint = (
    <>
      where a webhook or a mail goes is told by a <a href="/console/notifications">notification</a>
    </>
  )
  if (templates && templates.length === 0)
    return (
      <TextField label="Notification" value={value} onInput={onInput} type="number" placeholder={none} hint={hint} />
    )
  const known = templates ?? []
  const options = [
    ['', none] as const,
    ...known.map(([id, name]) => [id, name === '' ? `notification ${id}` : `${name} (${id})`] as const),
    ...(value !== '' && !known.some(([id]) => id === value) ? [[value, `notification ${value}`] as const] : []),
  ]
  return <SelectField label="Notification" value={value} options={options} onInput={onInput} hint={hint} />
}
