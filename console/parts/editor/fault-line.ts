/** A fault is shown where it is: its place is marked, and a caret with the reason stands in a line of its own below. */
import { type EditorState, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { PlacedFault } from './placed-fault.ts'

export const showFault = StateEffect.define<PlacedFault | undefined>()

/** A caret further to the right than this would be out of view: the reason then begins at the left. */
const widestIndent = 200

class FaultWidget extends WidgetType {
  readonly fault: PlacedFault

  constructor(fault: PlacedFault) {
    super()
    this.fault = fault
  }

  override eq({ fault }: FaultWidget): boolean {
    return fault === this.fault
  }

  override toDOM(): HTMLElement {
    const { column, message } = this.fault
    const element = document.createElement('div')
    element.className = 'cm-fault'
    const caret = document.createElement('span')
    caret.className = 'cm-fault-caret'
    caret.textContent = `${' '.repeat(Math.min(column - 1, widestIndent))}^`
    caret.setAttribute('aria-hidden', 'true')
    const says = document.createElement('span')
    says.className = 'cm-fault-says'
    says.textContent = message
    element.append(caret, says)
    return element
  }
}

function decorationsOf(state: EditorState, fault: PlacedFault): DecorationSet {
  const line = state.doc.line(Math.min(Math.max(1, fault.line), state.doc.lines))
  const from = Math.min(line.from + fault.column - 1, line.to)
  const [word = ''] = /^[\w.$]+|^./.exec(state.doc.sliceString(from, line.to)) ?? []
  const mark = Decoration.mark({ class: 'cm-fault-mark' })
  const below = Decoration.widget({ widget: new FaultWidget(fault), block: true, side: 1 })
  return Decoration.set([...(word.length > 0 ? [mark.range(from, from + word.length)] : []), below.range(line.to)])
}

/** Gone with the next change of the text. */
export const faultLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(showFault)) return effect.value ? decorationsOf(transaction.state, effect.value) : Decoration.none
    }
    return transaction.docChanged ? Decoration.none : decorations
  },
  provide: (field) => EditorView.decorations.from(field),
})
