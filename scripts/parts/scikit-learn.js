// LIBSVM and LIBLINEAR compiled, which the benchmark trains beside Weir: scikit-learn has both.

import { ensurePythonPackages } from './python-packages.js'

/** With its dependencies, in versions that were tried together. */
export const scikitLearnPackages = [
  'scikit-learn==1.7.2',
  'numpy==2.2.6',
  'scipy==1.15.3',
  'joblib==1.5.2',
  'threadpoolctl==3.6.0',
]

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureScikitLearn = () => ensurePythonPackages('sklearn', scikitLearnPackages)
