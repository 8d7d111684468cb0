import { useState } from 'preact/hooks'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { kindOf, type Parameter, textOf, typeText, type Values } from './definition.ts'

type ValuesFormProps = {
  readonly params: Readonly<Record<string, Parameter>>
  /** The types of parameters, as the text has them. */
  readonly types: Values
  readonly values: Values
  readonly onInput: (values: Values) => void
}

/** A field for each parameter. */
export const ValueFields = ({ params, types, values, onInput }: ValuesFormProps) => (
  <>
    {Object.entries(params).map(([name, parameter]) => (
      <ValueField
        key={name}
        name={name}
        type={types[name] ?? 'String'}
        parameter={parameter}
        value={values[name] ?? ''}
        onInput={(value) => onInput({ ...values, [name]: value })}
      />
    ))}
  </>
)

type ValueFieldProps = {
  readonly name: string
  readonly type: string
  readonly parameter: Parameter
  readonly value: string
  readonly onInput: (value: string) => void
}

function ValueField({ name, type, parameter, value, onInput }: ValueFieldProps) {
  const { values, default: usual, min, max, description } = parameter
  const { kind, isList } = kindOf(type)
  const [first] = useState(usual)
  const nothing = first === undefined ? 'choose' : `(${textOf(first) || 'empty'})`
  const bounds = [min !== undefined && `from ${min}`, max !== undefined && `to ${max}`].filter(Boolean).join(' ')
  const hint = [description, typeText(type), bounds].filter(Boolean).join('; ')
  const choices = isList ? undefined : kind === 'boolean' ? ['true', 'false'] : values?.map(textOf)
  return choices ? (
    <SelectField
      label={name}
      value={value}
      options={[['', nothing], ...choices.map((each) => [each, each] as const)]}
      onInput={onInput}
      hint={description}
    />
  ) : (
    <TextField
      label={name}
      value={value}
      onInput={onInput}
      placeholder={first === undefined ? '' : textOf(first)}
      hint={hint}
    />
  )
}
