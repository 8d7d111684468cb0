/** Suggestions of an editor: `options` are for the text from `from` on. */
export type Suggestion = {
  readonly label: string
  readonly kind: 'keyword' | 'place' | 'attribute' | 'function' | 'value'
  readonly detail?: string
  /** Written in the place of `label`; `cursor` in it is where one goes on. */
  readonly apply?: string
}

/** Stands in a suggested text for the place where one goes on. No statement and no schema has this character. */
export const cursor = '\u2038'

export type Suggestions = { readonly from: number; readonly options: readonly Suggestion[] }

export type Suggest = (text: string, at: number) => Promise<Suggestions | undefined> | Suggestions | undefined

const maxShown = 60

/** The suggestions that go with the word that is written, those that begin with it first. */
export function matching({ options }: Suggestions, word: string): readonly Suggestion[] {
  const wanted = word.replace(/^["']/, '').toLowerCase()
  if (wanted === '') return options.slice(0, maxShown)
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted))
  const begins = ({ label }: Suggestion): boolean => label.toLowerCase().startsWith(wanted)
  const ordered = [...found.filter(begins), ...found.filter((each) => !begins(each))].slice(0, maxShown)
  // A word that is written in full needs no list of itself.
  const [only, ...others] = ordered
  return others.length === 0 && only?.label.toLowerCase() === wanted && (only.apply ?? only.label) === only.label
    ? []
    : ordered
}
