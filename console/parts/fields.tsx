/** Fields of forms: each has a label, and may have a hint and a fault, which its control names. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Described = {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
}

export type TextFieldProps = Described & {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'password' | 'number' | 'search' | 'datetime-local'
  readonly placeholder?: string
  readonly isRequired?: boolean
  readonly isMono?: boolean
  readonly lines?: number
  readonly autocomplete?: string
  readonly list?: readonly string[]
}

export function TextField(props: TextFieldProps) {
  const { label, hint, fault, value, onInput, type = 'text', lines, list } = props
  const id = useId()
  const shared = {
    id,
    class: props.isMono ? 'input mono' : 'input',
    value,
    placeholder: props.placeholder,
    required: props.isRequired,
    autocomplete: props.autocomplete ?? 'off',
    spellcheck: false,
    'aria-invalid': fault !== undefined,
    'aria-describedby': hint !== undefined || fault !== undefined ? `${id}-says` : undefined,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? (
        // The types of inputs are told apart one by one, and this one may be any of them.
        <input {...shared} type={type as 'text'} list={list && `${id}-list`} />
      ) : (
        <textarea {...shared} rows={lines} />
      )}
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <Says id={id} hint={hint} fault={fault} />
    </div>
  )
}

export type SelectFieldProps = Described & {
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onInput: (value: string) => void
}

export function SelectField({ label, hint, fault, value, options, onInput }: SelectFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        aria-describedby={hint !== undefined || fault !== undefined ? `${id}-says` : undefined}
        onChange={(event) => onInput(event.currentTarget.value)}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
      <Says id={id} hint={hint} fault={fault} />
    </div>
  )
}

export type CheckFieldProps = {
  readonly label: ComponentChildren
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export const CheckField = ({ label, isOn, onChange }: CheckFieldProps) => (
  <label class="check">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
)

function Says({ id, hint, fault }: { readonly id: string } & Omit<Described, 'label'>) {
  if (hint === undefined && fault === undefined) return null
  return (
    <div id={`${id}-says`}>
      {fault !== undefined && <p class="fault">{fault}</p>}
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  )
}
