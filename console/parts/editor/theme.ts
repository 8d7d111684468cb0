/** The look of editors, in the page's own colours: custom properties reach into their shadow. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent-strong)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--series-2)' },
  { tag: tags.number, color: 'var(--series-3)' },
  { tag: tags.function(tags.variableName), color: 'var(--series-6)' },
  { tag: tags.labelName, color: 'var(--series-7)' },
  { tag: tags.comment, color: 'var(--text-faint)', fontStyle: 'italic' },
  { tag: [tags.operator, tags.punctuation], color: 'var(--text-soft)' },
])

const look = EditorView.theme({
  '&': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: '13.5px',
    borderRadius: 'inherit',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.6',
    minHeight: '8.4em',
    maxHeight: '44vh',
    overflow: 'auto',
  },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 14px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--accent-soft)',
  },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text-faint)',
    border: 'none',
    paddingLeft: '6px',
  },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: 'none' },
  '.cm-placeholder': { color: 'var(--text-faint)' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--raised)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
    zIndex: '40',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: '12.5px',
    maxHeight: '17em',
    minWidth: '220px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-soft)', color: 'var(--text)' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent-strong)', fontWeight: '650' },
  '.cm-completionDetail': { color: 'var(--text-faint)', fontStyle: 'normal', marginLeft: '1.2em' },
  '.cm-fault-mark': {
    textDecoration: 'underline wavy var(--bad) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-fault': {
    backgroundColor: 'var(--bad-soft)',
    color: 'var(--bad)',
    padding: '0 14px 6px',
    fontFamily: 'var(--mono)',
    whiteSpace: 'pre',
  },
  '.cm-fault-says': {
    display: 'block',
    fontFamily: 'var(--font)',
    fontSize: '13px',
    lineHeight: '1.45',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-fault-caret': { display: 'block', fontWeight: '700', lineHeight: '1.1' },
})

export const theme = [look, syntaxHighlighting(colours)]
