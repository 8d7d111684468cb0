/** The scopes of keys (docs/keys.md says which call needs which). `admin` includes the others. */
export const scopes = ['read', 'write', 'ingest', 'define', 'train', 'admin'] as const
export type Scope = (typeof scopes)[number]

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)
