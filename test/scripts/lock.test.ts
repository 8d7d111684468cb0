import test from 'ava'
import { completed, missingFrom } from '../../scripts/lock.js'

const lock = {
  packages: {
    '': {},
    'node_modules/lib': {
      optionalDependencies: { '@lib/linux-x64': '1.0.0', '@lib/linux-x64-musl': '1.0.0', 'lib-win32-arm64': '1.0.0' },
      dev: true,
    },
    'node_modules/lib/node_modules/@lib/linux-x64': { version: '1.0.0' },
    'node_modules/other': { optionalDependencies: { faster: '2.0.0' } },
  },
}

test('a lock is given the builds that it names and lacks', (t) => {
  t.deepEqual(missingFrom(lock), {
    'node_modules/@lib/linux-x64-musl': {
      version: '1.0.0',
      cpu: ['x64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/lib-win32-arm64': { version: '1.0.0', cpu: ['arm64'], dev: true, optional: true, os: ['win32'] },
  })
})

test('a completed lock lacks nothing', (t) => {
  t.deepEqual(missingFrom(completed(lock)), {})
})
