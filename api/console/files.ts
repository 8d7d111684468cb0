/** The built page: `console/build.js` has written it beside the service. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** In dist/ the page is a folder beside the rooms; a service that runs from sources serves the page that was built last. */
const places = ['../../console/', '../../dist/console/'].map((place) => new URL(place, import.meta.url))
const described = 'built.json'

const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]
const types: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

export type Asset = {
  readonly type: string
  readonly bytes: Buffer
  readonly packed: Readonly<Record<Encoding, Buffer>>
}

export type Page = {
  readonly html: string
  readonly tag: string
  readonly assets: ReadonlyMap<string, Asset>
}

/** Resolves to the page. It is read once, as a whole: a build beside the running service takes no file away from it. */
export type ReadPage = () => Promise<Page>

/** Undefined where the page was not built. */
export function findPage(): ReadPage | undefined {
  const place = places.find((each) => existsSync(new URL(described, each)))
  if (!place) return undefined
  let reading: Promise<Page> | undefined
  return () => {
    if (!reading) {
      reading = read(place)
      reading.catch(() => {
        reading = undefined
      })
    }
    return reading
  }
}

type Built = { readonly html: string; readonly tag: string; readonly assets: readonly string[] }

async function read(place: URL): Promise<Page> {
  const { html, tag, assets }: Built = JSON.parse(await readFile(new URL(described, place), 'utf8'))
  const bytesOf = (file: string) => readFile(new URL(`assets/${file}`, place))
  const read = assets.map(async (name) => {
    const [bytes, br, gzip] = await Promise.all(['', '.br', '.gz'].map((ending) => bytesOf(`${name}${ending}`)))
    if (!bytes || !br || !gzip) throw new Error(`${name} was not read`)
    const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    return [name, { type, bytes, packed: { br, gzip } }] as const
  })
  return { html, tag: `"${tag}"`, assets: new Map(await Promise.all(read)) }
}

/** The bytes of an asset as its reader takes them best. */
export function packedFor({ bytes, packed }: Asset, takes: (encoding: Encoding) => boolean) {
  const encoding = encodings.find(takes)
  return encoding === undefined ? { bytes, encoding } : { bytes: packed[encoding], encoding }
}
