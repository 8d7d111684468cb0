// The Python client with which the tests ask the analysts' port.

import { ensurePythonPackages } from './python-packages.js'

export const clickHouseConnect = [
  'clickhouse-connect==1.12.0',
  'certifi==2026.10.18',
  'urllib3==2.8.0',
  'lz4==4.4.5',
  'backports.zstd==1.8.0',
]

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureClickHouseConnect = () => ensurePythonPackages('clickhouse_connect', clickHouseConnect)
