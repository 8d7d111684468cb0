import { may, session } from '../../api/session.ts'

/** Whether the page's key may change a question. A key that is bound to places changes those alone. */
export function mayDefine(name: string): boolean {
  const on = session.value?.on
  return may('define') && (!on || on.includes(`saved:${name}`))
}

/** Whether there is any name under which the page's key may save a question. */
export function maySave(): boolean {
  const on = session.value?.on
  return may('define') && (!on || on.some((place) => place.startsWith('saved:')))
}
