import type { RuleStore } from '../../../infra/memory/store.ts'

export const space = 's.st/last:1'

/** The state of the value's youngest version. */
export function stateOf(rules: RuleStore): string {
  const entry = rules.cache.find(space, 'k', false)
  return entry?.kind === 'value' ? (entry.version?.state ?? 'clean') : 'clean'
}
