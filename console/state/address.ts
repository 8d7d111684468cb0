/** The state of a page in its address, so that it can be shared and found again in the history. */
import { useLocation } from 'preact-iso'

export type Changes = Readonly<Record<string, string | undefined>>

/** The address with changed members of its query; undefined and empty ones go. */
function addressWith(address: string, changes: Changes): string {
  const [path = '', query = ''] = address.split('?', 2)
  const members = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') members.delete(name)
    else members.set(name, value)
  }
  const text = members.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * A member of the query, and how to set it. Typing and dragging replace the entry of the history, which is the usual way;
 * a step that a reader wants to go back from is pushed.
 */
export function useInAddress(
  name: string,
  initial = '',
): readonly [value: string, set: (value: string, how?: 'replace' | 'push') => void] {
  const { query } = useLocation()
  const change = useChangeAddress()
  const set = (value: string, how?: 'replace' | 'push') =>
    change({ [name]: value === initial ? undefined : value }, how)
  return [query[name] ?? initial, set]
}

/** Sets several members at once. */
export function useChangeAddress(): (changes: Changes, how?: 'replace' | 'push') => void {
  const { route } = useLocation()
  return (changes, how = 'replace') => {
    const now = `${location.pathname}${location.search}`
    const wanted = addressWith(now, changes)
    if (wanted !== now) route(wanted, how === 'replace')
  }
}
