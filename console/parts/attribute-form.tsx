import { TextField } from './fields.tsx'
import { type FormAttribute, faultOf, type Typed } from './form-values.ts'

type AttributeFormProps = {
  readonly attributes: readonly FormAttribute[]
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  /** Words that are known of an attribute. */
  readonly words?: Readonly<Record<string, readonly string[]>>
}

/** A field for each attribute. One that is left empty is a missing value. */
export const AttributeForm = ({ attributes, typed, onType, words = {} }: AttributeFormProps) => (
  <div class="attribute-form">
    {attributes.map((attribute) => {
      const { name, kind } = attribute
      const list = words[name]
      return (
        <TextField
          key={name}
          label={name}
          value={typed[name] ?? ''}
          onInput={(text) => onType({ ...typed, [name]: text })}
          placeholder={kind === 'number' ? 'a number' : 'a word'}
          fault={faultOf(attribute, typed[name] ?? '')}
          {...(list && { list })}
        />
      )
    })}
  </div>
)
