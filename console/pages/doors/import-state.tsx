import type { ListImportsAnswer } from '../../api/calls.ts'

export type Import = ListImportsAnswer['imports'][number]

const tones = { running: 'warn', done: 'good', failed: 'bad', cancelled: '' } as const

/** How far an import is, in a word. */
export const ImportState = ({ of: { state, progress, waiting } }: { readonly of: Import }) => (
  <span class={`badge ${tones[state]}`} title={waiting}>
    {state === 'running' ? (waiting === undefined ? `${Math.floor(progress * 100)} %` : 'waiting') : state}
  </span>
)

export const filesText = ({ bucket, key, prefix = '' }: Import['from']): string =>
  key === undefined ? `${bucket}/${prefix}…` : `${bucket}/${key}`
