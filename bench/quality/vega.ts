import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The folder of the data sets of vega-datasets, wherever this module's JavaScript lies. */
export const vega = new URL('../data/', pathToFileURL(createRequire(import.meta.url).resolve('vega-datasets')))
