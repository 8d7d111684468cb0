// Makes the page: scripts in chunks by page, one style sheet, each file packed as well, and `built.json`, in which the
// service reads what there is.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { piecesOf } from './help/markdown.js'

const room = fileURLToPath(new URL('.', import.meta.url))
const styles = 'weir:styles'
const help = 'weir:help'
/** The pages of docs/ that are for users. */
const documents = join(room, '../docs')
const ofDevelopers = /^(?:develop|debug|tests|figures|processes)\.md$/

/** @param {string} folder that the page is written to, as a whole
 * @param {object} [options]
 * @param {boolean} [options.isQuick] packs the files less, and keeps their sources at hand */
export async function buildConsole(folder, { isQuick = false } = {}) {
  const { outputFiles, metafile } = await build({
    entryPoints: { main: join(room, 'main.tsx'), style: styles },
    absWorkingDir: room,
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: !isQuick,
    sourcemap: isQuick ? 'inline' : false,
    legalComments: 'none',
    plugins: [
      { name: 'styles', setup: gatherStyles },
      { name: 'unused', setup: leaveOut },
      { name: 'help', setup: gatherHelp },
    ],
    logLevel: 'warning',
    metafile: true,
    write: false,
  })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const level = isQuick ? 4 : constants.BROTLI_MAX_QUALITY
  for (const { path, contents } of outputFiles) {
    writeFileSync(path, contents)
    writeFileSync(`${path}.gz`, gzipSync(contents, { level: isQuick ? 1 : 9 }))
    writeFileSync(`${path}.br`, brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }))
  }
  const html = pageOf(metafile, folder)
  const tag = createHash('sha256').update(html).digest('hex').slice(0, 16)
  const assets = outputFiles.map(({ path }) => relative(join(folder, 'assets'), path)).sort()
  writeFileSync(join(folder, 'built.json'), JSON.stringify({ html, tag, assets }))
}

/** All style sheets of the room in one, those of styles/ first: a page brings its own beside it, and imports none.
 * @param {import('esbuild').PluginBuild} build */
function gatherStyles(build) {
  build.onResolve({ filter: new RegExp(`^${styles}$`) }, () => ({ path: styles, namespace: 'styles' }))
  build.onLoad({ filter: /^/, namespace: 'styles' }, () => {
    const all = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
    const basic = ['tokens', 'base', 'parts'].map((name) => join('styles', `${name}.css`))
    const others = all.filter((file) => !basic.includes(file)).sort()
    return {
      contents: [...basic, ...others].map((file) => `@import ${JSON.stringify(`./${file}`)};`).join('\n'),
      loader: 'css',
      resolveDir: room,
    }
  })
}

/** The documentation: a module that names its pages, and one for each, which is fetched when it is opened.
 * @param {import('esbuild').PluginBuild} build */
function gatherHelp(build) {
  const files = existsSync(documents)
    ? readdirSync(documents).filter((file) => file.endsWith('.md') && !ofDevelopers.test(file))
    : []
  build.onResolve({ filter: new RegExp(`^${help}`) }, ({ path }) => ({
    // Its name is that of the chunk.
    path: path === help ? 'help' : `help_${path.slice(help.length + 1)}`,
    namespace: 'help',
  }))
  build.onLoad({ filter: /^/, namespace: 'help' }, ({ path }) => {
    if (path === 'help') {
      const pages = files.map((file) => {
        const name = file.slice(0, -'.md'.length)
        const [, title = name] = /^# +(.*)$/m.exec(readFileSync(join(documents, file), 'utf8')) ?? []
        return `${JSON.stringify(name)}: { title: ${JSON.stringify(title)}, load: () => import('${help}/${name}') }`
      })
      return { contents: `export const pages = { ${pages.join(', ')} }`, loader: 'js' }
    }
    const text = readFileSync(join(documents, `${path.slice('help_'.length)}.md`), 'utf8')
    return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(piecesOf(text)))})`, loader: 'js' }
  })
}

/** The router's own way to make pages on a server, which no page asks for: tree shaking keeps what is imported on demand.
 * @param {import('esbuild').PluginBuild} build */
function leaveOut(build) {
  build.onResolve({ filter: /^\.\/prerender\.js$/ }, ({ path }) => ({ path, namespace: 'unused' }))
  build.onLoad({ filter: /^/, namespace: 'unused' }, () => ({ contents: 'export {}' }))
}

/** The template with the names of the files: also of those that the first page needs, which are fetched at once.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} folder */
function pageOf({ outputs }, folder) {
  const made = Object.entries(outputs).map(([path, output]) => ({ path, ...output }))
  const nameOf = (/** @type {string} */ path) => relative(join(folder, 'assets'), join(room, path))
  const entry = (/** @type {string} */ source) => made.find(({ entryPoint }) => entryPoint === source)
  const [main, style, home] = [entry('main.tsx'), entry(`styles:${styles}`), entry('pages/home/index.tsx')]
  if (!main || !style || !home) throw new Error('the bundler made no script, no styles or no first page')
  const needed = [main, home].flatMap(({ path, imports }) => [
    path,
    ...imports.filter(({ kind }) => kind === 'import-statement').map((each) => each.path),
  ])
  const preloads = [...new Set(needed)]
    .filter((path) => path !== main.path)
    .map((path) => `<link rel="modulepreload" href="/console/assets/${nameOf(path)}">`)
  return readFileSync(join(room, 'index.html'), 'utf8')
    .replace('{{main}}', nameOf(main.path))
    .replace('{{style}}', nameOf(style.path))
    .replace('{{preloads}}', preloads.join('\n'))
}

const [, program, folder] = process.argv
if (program === fileURLToPath(import.meta.url) && folder !== undefined) await buildConsole(folder)
