// Draws figures of models as SVG files, by the same parts as the console.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../processes/run.js'

/** @typedef {{ type: unknown, props: Record<string, unknown> }} Node */

/** The pictures of the metrics of a model with classes, as `GET /ml/S/M/metrics` answers them.
 * @param {{ labels: unknown[], confusion: number[][], calibration: unknown[] }} metrics */
export async function picturesOf({ labels, confusion, calibration }) {
  const { ConfusionMatrix, CalibrationPlot } = await loadParts()
  return {
    confusion: svgOf(ConfusionMatrix({ labels: labels.map(String), rows: confusion })),
    calibration: svgOf(CalibrationPlot({ curves: calibration })),
  }
}

/** @typedef {(props: object) => unknown} Part
 * @returns {Promise<{ ConfusionMatrix: Part, CalibrationPlot: Part }>} */
async function loadParts() {
  const names = ['confusion-matrix', 'calibration-plot']
  const { outputFiles } = await build({
    stdin: {
      contents: names.map((name) => `export * from './${name}.tsx'`).join('\n'),
      resolveDir: join(root, 'console/parts'),
    },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`)
}

/** @param {unknown} node */
function svgOf(node) {
  const text = markupOf(node)
  return `${text.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>', `><style>${styles()}</style>`)}\n`
}

/** The parts draw without state: an element is its markup, a component is called.
 * @param {unknown} node
 * @returns {string} */
function markupOf(node) {
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (Array.isArray(node)) return node.map(markupOf).join('')
  if (typeof node !== 'object') return escaped(String(node))
  const { type, props } = /** @type {Node} */ (node)
  if (typeof type === 'function') return markupOf(type(props))
  const { children, ...attributes } = props
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => ` ${name}="${escaped(rounded(value)).trim()}"`)
  return `<${type}${written.join('')}>${markupOf(children)}</${type}>`
}

/** @param {unknown} value */
const rounded = (value) => String(typeof value === 'number' ? Math.round(value * 100) / 100 : value)

/** @param {string} text */
const escaped = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

/** The rules of pictures, and the colours that they name: light, or dark as the reader's system has it. */
function styles() {
  const rules = readFileSync(join(root, 'console/parts/pictures.css'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const tokens = readFileSync(join(root, 'console/styles/tokens.css'), 'utf8')
  const used = new Set([...rules.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name))
  const blockOf = (/** @type {string} */ selector) => tokens.split(`${selector} {`)[1]?.split('}')[0] ?? ''
  const colours = (/** @type {string} */ block) =>
    [...block.matchAll(/(--[\w-]+): ([^;]+);/g)]
      .filter(([, name]) => used.has(name))
      .map(([, name, value]) => `${name}:${value}`)
      .join(';')
  const dark = colours(blockOf(':root[data-theme="dark"]'))
  const text = `:root{${colours(blockOf(':root'))}}@media(prefers-color-scheme:dark){:root{${dark}}}${rules}`
  return text.replace(/\s+/g, ' ').trim()
}
