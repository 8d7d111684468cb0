// The Python in which the tests run Weir's models, too.

import { ensurePythonPackages } from './python-packages.js'

const packages = ['onnxruntime==1.31.1', 'numpy==2.4.6', 'flatbuffers==25.12.19', 'protobuf==7.36.2', 'packaging==26.3']

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensurePythonOnnx = () => ensurePythonPackages('onnxruntime', packages)
