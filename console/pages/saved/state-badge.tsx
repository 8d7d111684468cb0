const looks = {
  firing: ['bad', 'firing'],
  failing: ['bad', 'cannot be asked'],
  pending: ['warn', 'pending'],
  resolved: ['good', 'resolved'],
  inactive: ['good', 'quiet'],
} as const

export type AlertState = keyof typeof looks

/** The state of an alert, or of all alerts of a question together: the worst. */
export function StateBadge({ state }: { readonly state: AlertState | undefined }) {
  if (state === undefined) return <span class="badge">not asked yet</span>
  const [tone, text] = looks[state]
  return <span class={`badge ${tone}`}>{text}</span>
}
