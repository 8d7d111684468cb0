/** What a key lets its holder do: decisions 11. `admin` is all of it. */
export const scopes = ['read', 'write', 'define', 'train', 'admin'] as const
export type Scope = (typeof scopes)[number]

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)
