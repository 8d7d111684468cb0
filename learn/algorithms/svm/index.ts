export { svmParameters, svmSettings } from './svm-parameters.ts'
export { svmGrid, tunableSvm, tunedSvmParameters } from './tune-svm.ts'
