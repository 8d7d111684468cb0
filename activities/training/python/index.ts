export { createTrainByScript, type ScriptModel, type ScriptTraining } from './train-by-script.ts'
