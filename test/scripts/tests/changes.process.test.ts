import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { changedFiles } from '../../../scripts/tests/changes.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function repository() {
  const folder = temporaryFolder()
  const git = (...words: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], { cwd: folder })
  const write = (name: string) => {
    mkdirSync(join(folder, 'a'), { recursive: true })
    writeFileSync(join(folder, name), `${name} ${Math.random()}`)
  }
  const commit = (...names: string[]) => {
    for (const name of names) write(name)
    git('add', '.')
    git('commit', '-qm', names.join(' '))
  }
  git('init', '-q', '-b', 'main')
  write('.gitignore')
  writeFileSync(join(folder, '.gitignore'), 'ignored\n')
  commit('one.ts', 'a/two.ts', 'three.md')
  return { folder, git, write, commit, files: () => changedFiles(folder)?.files }
}

test('what a branch has committed, what is not committed and what is new has changed; what main did since has not', (t) => {
  const { git, write, commit, files } = repository()
  t.deepEqual(files(), [])
  git('checkout', '-qb', 'work')
  commit('one.ts')
  git('checkout', '-q', 'main')
  commit('main.ts')
  git('checkout', '-q', 'work')
  t.deepEqual(files(), ['one.ts'])
  write('a/two.ts')
  write('a/new file.ts')
  write('ignored')
  t.deepEqual(files(), ['a/new file.ts', 'a/two.ts', 'one.ts'])
})

test('a file that was removed or moved has changed, under either name', (t) => {
  const { folder, git, files } = repository()
  rmSync(join(folder, 'three.md'))
  git('mv', 'one.ts', 'a/one.ts')
  t.deepEqual(files(), ['a/one.ts', 'one.ts', 'three.md'])
})

test('a branch with an upstream is compared with that', (t) => {
  const { git, commit, files } = repository()
  git('checkout', '-qb', 'base')
  commit('one.ts')
  git('checkout', '-qb', 'work', '--track', 'base')
  commit('a/two.ts')
  t.deepEqual(files(), ['a/two.ts'])
})

test('without git nothing is known of changes', (t) => {
  t.is(changedFiles(temporaryFolder()), undefined)
})
