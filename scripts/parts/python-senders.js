// Vendors' packages for Python whose events Weir takes, as they publish them: tests point them at Weir, unchanged.

import { ensurePythonPackages } from './python-packages.js'

const packages = [
  'posthog==7.91.1',
  ...['cloudevents==2.2.0', 'influxdb-client==1.50.0', 'segment-analytics-python==2.4.0'],
  ...['snowplow-tracker==1.1.0', 'standardwebhooks==1.1.0'],
  // Packages that those need.
  ...['PyJWT==2.15.1', 'backoff==2.2.1', 'certifi==2026.10.18', 'cffi==2.1.1', 'charset-normalizer==3.5.3'],
  ...['cryptography==50.0.2', 'deprecation==2.1.0', 'distro==1.9.0', 'idna==3.20', 'packaging==26.4'],
  ...['pycparser==3.12', 'python-dateutil==2.9.0.post0', 'reactivex==6.1.0', 'requests==2.34.2', 'six==1.17.0'],
  ...['typing-extensions==4.16.0', 'urllib3==2.8.0'],
]
const modules = [
  'posthog',
  'cloudevents.core',
  'influxdb_client',
  'segment.analytics',
  'snowplow_tracker',
  'standardwebhooks',
]

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensurePythonSenders = () => ensurePythonPackages(modules.join(', '), packages)
