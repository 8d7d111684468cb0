import { stateText, stateTone } from './states.ts'

export const StateBadge = ({ state }: { readonly state: number | undefined }) => (
  <span class={`badge ${stateTone(state)}`}>{stateText(state)}</span>
)
