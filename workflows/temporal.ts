import { recurringOnTemporal } from '../infra/orchestration/temporal-recurring.ts'
import { onTemporal } from '../infra/orchestration/temporal-workflow.ts'
import { workflows } from './index.ts'
import { recurring } from './recurring.ts'

/** The bundle for Temporal's workers: each export is a workflow of that name. */
export const predictFile = onTemporal(workflows.predictFile)
export const rebuildStream = onTemporal(workflows.rebuildStream)
export const runAlgorithm = onTemporal(workflows.runAlgorithm)
export const scheduleQuestion = recurringOnTemporal(recurring.scheduleQuestion)
export const trainModel = onTemporal(workflows.trainModel)
export const watchQuestion = recurringOnTemporal(recurring.watchQuestion)
export const writeStreamData = onTemporal(workflows.writeStreamData)
