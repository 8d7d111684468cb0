import { may } from '../../api/session.ts'

/** Whether the page's key may write events of some stream; of which ones the service says. */
const mayWrite = (): boolean => may('write') || may('ingest')

export const mayMakeHook = (): boolean => may('define') && mayWrite()
export const mayImport = (): boolean => may('read') && mayWrite()
