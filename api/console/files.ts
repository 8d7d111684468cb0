/** The built page: `console/build.js` has written it beside the service. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** In dist/ it stands beside the rooms; from sources the page is the one that was built last. */
const places = ['../../console/', '../../dist/console/'].map((place) => new URL(place, import.meta.url))

const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]
const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }
const types: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

export type Asset = { readonly type: string; readonly bytes: Buffer; readonly encoding: Encoding | undefined }

export type Page = {
  readonly html: string
  readonly tag: string
  /** Undefined where there is no such file. */
  asset(name: string, accepts: (encoding: string) => boolean): Promise<Asset | undefined>
}

type Built = { readonly html: string; readonly tag: string; readonly assets: readonly string[] }

/** Undefined where the page was not built. Its files are read once, when they are first asked for. */
export function readPage(): Page | undefined {
  for (const place of places) {
    const built = readBuilt(place)
    if (built) return { html: built.html, tag: `"${built.tag}"`, asset: createAssets(place, built.assets) }
  }
  return undefined
}

function readBuilt(place: URL): Built | undefined {
  try {
    return JSON.parse(readFileSync(new URL('built.json', place), 'utf8'))
  } catch {
    return undefined
  }
}

function createAssets(place: URL, assets: readonly string[]): Page['asset'] {
  const names = new Set(assets)
  const read = new Map<string, Promise<Buffer>>()

  function bytesOf(file: string): Promise<Buffer> {
    const known = read.get(file)
    if (known) return known
    const reading = readFile(fileURLToPath(new URL(`assets/${file}`, place)))
    read.set(file, reading)
    reading.catch(() => read.delete(file))
    return reading
  }

  return async (name, accepts) => {
    const type = types[name.split('.').at(-1) ?? '']
    if (!names.has(name) || type === undefined) return undefined
    const encoding = encodings.find(accepts)
    return { type, encoding, bytes: await bytesOf(encoding === undefined ? name : `${name}${endings[encoding]}`) }
  }
}
