import { predictFile } from './predict-file.ts'
import { rebuildStream } from './rebuild-stream.ts'
import { runAlgorithm } from './run-algorithm.ts'
import { trainModel } from './train-model.ts'
import { writeStreamData } from './write-stream-data.ts'

/** Every workflow, by the name under which it runs. */
export const workflows = { predictFile, rebuildStream, runAlgorithm, trainModel, writeStreamData }
