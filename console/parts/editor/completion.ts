/** Suggestions of an editor: `options` are for the text from `from` on. */
export type Suggestion = {
  readonly label: string
  readonly kind: 'keyword' | 'place' | 'attribute' | 'function' | 'value'
  readonly detail?: string
  /** Written in the place of `label`. */
  readonly apply?: string
}

export type Suggestions = { readonly from: number; readonly options: readonly Suggestion[] }

export type Suggest = (text: string, at: number) => Promise<Suggestions | undefined> | Suggestions | undefined
