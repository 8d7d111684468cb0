import test from 'ava'
import { holds } from '../../scripts/packages.js'

const here = { os: [process.platform], cpu: [process.arch] }
const elsewhere = { cpu: ['wasm32'] }

const lock = {
  packages: {
    '': { dependencies: { a: '1.0.0' } },
    'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-here': '1.0.0', 'a-wasm': '1.0.0' } },
    'node_modules/a-here': { version: '1.0.0', optional: true, ...here },
    'node_modules/a-wasm': { version: '1.0.0', optional: true, ...elsewhere, dependencies: { wasi: '1.0.0' } },
    'node_modules/wasi': { version: '1.0.0', optional: true, dependencies: { util: '1.0.0' } },
    'node_modules/wasi/node_modules/util': { version: '1.0.0', optional: true },
  },
}
const { a, here: build } = { a: lock.packages['node_modules/a'], here: lock.packages['node_modules/a-here'] }

for (const { what, packages, isWhole, gone } of [
  {
    what: 'all that is for this machine, without what only a build for another one asks for',
    packages: { 'node_modules/a': a, 'node_modules/a-here': build },
    isWhole: true,
  },
  { what: 'nothing', packages: {}, isWhole: false },
  { what: 'no build for this machine', packages: { 'node_modules/a': a }, isWhole: false },
  {
    what: 'another version',
    packages: { 'node_modules/a': { ...a, version: '1.0.1' }, 'node_modules/a-here': build },
    isWhole: false,
  },
  {
    what: 'a package that the lock does not name',
    packages: { 'node_modules/a': a, 'node_modules/a-here': build, 'node_modules/b': { version: '1.0.0' } },
    isWhole: false,
  },
  {
    what: 'a package whose folder is gone',
    packages: { 'node_modules/a': a, 'node_modules/a-here': build },
    gone: 'node_modules/a',
    isWhole: false,
  },
]) {
  test(`${what} is ${isWhole ? 'a whole installation' : 'installed anew'}`, (t) => {
    t.is(
      holds({ packages }, lock, (place) => place !== gone),
      isWhole,
    )
  })
}
