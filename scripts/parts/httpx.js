// Packages that Weir's client for Python needs, and pandas, whose frames it sends and makes.

import { ensurePythonPackages } from './python-packages.js'

const packages = [
  'httpx==0.28.1',
  'anyio==4.16.0',
  'certifi==2026.10.18',
  'h11==0.16.0',
  'httpcore==1.0.9',
  'idna==3.20',
  'numpy==2.4.6',
  'pandas==3.1.1',
  'python-dateutil==4.0.0',
  'typing-extensions==4.16.0',
  'tzdata==2026.6',
]

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureHttpx = () => ensurePythonPackages('httpx', packages)
