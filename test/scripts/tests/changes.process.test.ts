import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { changedFiles, landingFiles } from '../../../scripts/tests/changes.js'
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
  const commitAt = (hour: number, name: string) => {
    write(name)
    git('add', '.')
    const date = `2026-01-02T${String(hour).padStart(2, '0')}:00:00Z`
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', name], {
      cwd: folder,
      env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
    })
  }
  git('init', '-q', '-b', 'main')
  write('.gitignore')
  writeFileSync(join(folder, '.gitignore'), 'ignored\n')
  commit('one.ts', 'a/two.ts', 'three.md')
  const landing = () => landingFiles(folder)?.files
  return { folder, git, write, commit, commitAt, files: () => changedFiles(folder)?.files, landing }
}

test('on main the commits of the half day that ends with the last one have landed, on a branch those since it left', (t) => {
  const { git, commit, commitAt, landing } = repository()
  git('checkout', '-q', '--orphan', 'dated')
  git('branch', '-D', 'main')
  for (const [hour, name] of [
    [1, 'old.ts'],
    [9, 'morning.ts'],
    [20, 'a/evening.ts'],
  ] as const)
    commitAt(hour, name)
  git('branch', '-m', 'main')
  t.deepEqual(landing(), ['a/evening.ts', 'morning.ts'])
  git('checkout', '-qb', 'work')
  commit('one.ts')
  t.deepEqual(landing(), ['one.ts'])
})

test('a history that begins within the half day, or a folder without git, has no landing that is known', (t) => {
  t.is(repository().landing(), undefined)
  t.is(landingFiles(temporaryFolder()), undefined)
})

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
