import { rebuildStream } from './rebuild-stream.ts'
import { writeStreamData } from './write-stream-data.ts'

/** Every workflow, by the name under which it runs. */
export const workflows = { rebuildStream, writeStreamData }
