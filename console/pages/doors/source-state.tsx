import type { ListSourcesAnswer } from '../../api/calls.ts'

const tones = { running: 'good', waiting: 'warn', failing: 'bad', off: '' } as const

/** How a source is, in a word. */
export const SourceState = ({ state }: Pick<ListSourcesAnswer['sources'][number], 'state'>) => (
  <span class={`badge ${tones[state]}`}>{state}</span>
)
