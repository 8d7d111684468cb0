import { isSelect } from './weir-rows.ts'

const readsSql = /^[\s(]*(?:select|show|describe|desc|explain|with)\b/i

/** Whether another site led here: its page may have written the statement. */
const isForeign = (cameFrom: string, own: string): boolean => cameFrom !== '' && !cameFrom.startsWith(`${own}/`)

/**
 * Whether the statement of an address runs as the page shows it. All else waits for a hand: a statement that changes or
 * ends something, and one to which another site led.
 * @param cameFrom the address of the page before; empty where that is not known
 * @param own the origin of this page
 */
export const runsByItself = (
  { language, text }: { readonly language: 'sql' | 'weir'; readonly text: string },
  cameFrom: string,
  own: string,
): boolean => !isForeign(cameFrom, own) && (language === 'sql' ? readsSql.test(text) : isSelect(text))
