/** Problems of a text where they are: each place is underlined and says its problem on hover, and its line has a sign. */
import { type EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view'

export type MarkedProblem = {
  readonly from: number
  readonly to: number
  readonly says: string
  readonly isNote?: boolean
}

export const showProblems = StateEffect.define<readonly MarkedProblem[]>()

class Sign extends GutterMarker {
  readonly problem: MarkedProblem

  constructor(problem: MarkedProblem) {
    super()
    this.problem = problem
  }

  override eq({ problem }: Sign): boolean {
    return problem === this.problem
  }

  override toDOM(): HTMLElement {
    const sign = document.createElement('span')
    sign.className = this.problem.isNote ? 'cm-sign cm-sign-note' : 'cm-sign'
    sign.title = this.problem.says
    return sign
  }
}

type Marks = { readonly places: DecorationSet; readonly signs: RangeSet<GutterMarker> }

const none: Marks = { places: Decoration.none, signs: RangeSet.empty }

/** Problems may be of a longer text than the one that is there now. A sign stands for the gravest problem of its line. */
function marksOf({ doc }: EditorState, problems: readonly MarkedProblem[]): Marks {
  const places = problems.flatMap((problem) => {
    const from = Math.min(problem.from, Math.max(0, doc.length - 1))
    const to = Math.min(Math.max(problem.to, from + 1), doc.length)
    const look = problem.isNote ? 'cm-problem cm-problem-note' : 'cm-problem'
    return from < to ? [Decoration.mark({ class: look, attributes: { title: problem.says } }).range(from, to)] : []
  })
  const lines = new Map<number, MarkedProblem>()
  for (const problem of [...problems].sort((a, b) => Number(a.isNote ?? false) - Number(b.isNote ?? false))) {
    const { from } = doc.lineAt(Math.min(problem.from, doc.length))
    if (!lines.has(from)) lines.set(from, problem)
  }
  const signs = [...lines].map(([from, problem]) => new Sign(problem).range(from))
  return { places: Decoration.set(places, true), signs: RangeSet.of(signs, true) }
}

const marks = StateField.define<Marks>({
  create: () => none,
  update({ places, signs }, { effects, state, changes, docChanged }) {
    for (const effect of effects) if (effect.is(showProblems)) return marksOf(state, effect.value)
    return docChanged ? { places: places.map(changes), signs: signs.map(changes) } : { places, signs }
  },
  provide: (field) => EditorView.decorations.from(field, ({ places }) => places),
})

export const problemMarks = [
  marks,
  gutter({ class: 'cm-signs', markers: (view) => view.state.field(marks).signs }),
  EditorView.theme({
    '.cm-problem': { textDecoration: 'underline wavy var(--bad) 1px', textUnderlineOffset: '3px' },
    '.cm-problem-note': { textDecorationColor: 'var(--warn)' },
    '.cm-signs': { width: '1em' },
    '.cm-sign': {
      display: 'block',
      width: '8px',
      height: '8px',
      margin: '6px 3px',
      borderRadius: '50%',
      background: 'var(--bad)',
    },
    '.cm-sign-note': { borderRadius: '1px', background: 'var(--warn)' },
  }),
]
