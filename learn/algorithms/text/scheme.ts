import type { FeatureScheme } from './classes/features.ts'
import { templateNames } from './entities/features.ts'
import { tagNames } from './entities/tags.ts'
import { tokenPattern } from './tokens.ts'

/**
 * The key of a model's metadata whose value says, as JSON, how a text is prepared outside of the graph, for programs that
 * run the model without Weir: `docs/models/text_features.py` does it. Weir goes by the step that the model's `outside`
 * names: a change of how texts are cut or hashed gives the new way a new name.
 */
export const schemeKey = 'weir.text'

const common = {
  tokens: tokenPattern,
  hash: 'FNV-1a, 32 bits, of the feature in UTF-8',
  bucket: '((hash >> bits) ^ hash) & (2^bits - 1)',
}

export const classesScheme = (scheme: FeatureScheme): string =>
  JSON.stringify({
    kind: 'classes',
    ...common,
    ...scheme,
    features: "'w ' + 1 to wordNgrams words joined by ' '; 'c ' + 3 to charNgrams characters of ' ' + word + ' '",
  })

export const entitiesScheme = (bits: number, labels: readonly string[]): string =>
  JSON.stringify({ kind: 'entities', ...common, bits, features: templateNames, labels, tags: tagNames(labels) })
