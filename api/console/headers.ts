/** The page loads from its own origin alone, and runs no script but its files. */
const rules = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ofAll = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

export const pageHeaders = {
  ...ofAll,
  'Content-Security-Policy': rules,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

/** The name of an asset changes with its content. */
export const assetHeaders = { ...ofAll, 'Cache-Control': 'public, max-age=31536000, immutable' }
