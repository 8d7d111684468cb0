// Trainers of other makers, beside which the benchmark measures how well Weir's models predict: LightGBM, scikit-learn and CRFsuite.

import { ensurePythonPackages } from './python-packages.js'
import { scikitLearnPackages } from './scikit-learn.js'

const packages = ['lightgbm==4.7.0', 'narwhals==2.29.0', 'python-crfsuite==0.9.12', ...scikitLearnPackages]

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureModelReferences = () => ensurePythonPackages('lightgbm', packages)
