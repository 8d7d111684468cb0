// Mutants of the calls, and of the HTTP edge.

const objects = 'test/api/objects/folder.test.ts'

export const api = [
  {
    id: 'room-kept-by-silence',
    breaks: 'A body that stands still keeps its room from those that wait for it.',
    file: 'infra/limits/body-pace.ts',
    find: 'if (!isSlow || !hold.isWanted()) return',
    put: 'if (!isSlow || !hold.isWanted() || seconds > 0) return',
    tests: ['test/api/http/bodies.test.ts'],
  },
  {
    id: 'etag-not-compared',
    breaks: 'A part is sent of an object that is another than the one of If-Range.',
    file: 'api/objects/object-routes.ts',
    find: "condition === '' || condition === entityTag(info) ?",
    put: "condition === '' || entityTag(info) !== '' ?",
    tests: [objects],
  },
  {
    id: 'range-off-by-one',
    breaks: 'A range of bytes lacks its last one.',
    file: 'api/objects/object-routes.ts',
    find: 'Math.min(Number(to) + 1, size)',
    put: 'Math.min(Number(to), size)',
    tests: [objects],
  },
  {
    id: 'limited-is-an-error',
    breaks: 'A full log is told as a 500.',
    file: 'api/http/statuses.ts',
    find: 'limited: [503, -6]',
    put: 'limited: [500, -6]',
    tests: ['test/api/http/limits.test.ts'],
  },
  {
    id: 'no-retry-after',
    breaks: 'A 503 does not say when to come again.',
    file: 'api/http/errors.ts',
    find: "if (retryAfter !== undefined) context.set('Retry-After'",
    put: "if (retryAfter === -1) context.set('Retry-After'",
    tests: ['test/api/http/limits.test.ts'],
  },
  {
    id: 'analysts-see-all',
    breaks: "On the analysts' port a key for one schema sees all databases.",
    file: 'api/analysts/gate.ts',
    find: 'if (on === undefined) return { caller: by }',
    put: 'if (on !== null) return { caller: by }',
    tests: ['test/api/keys/keys.test.ts'],
  },
  {
    id: 'analysts-kinds',
    breaks: "On the analysts' port a key for a database of tables reads the schema of that name.",
    file: 'api/analysts/gate.ts',
    find: "namesOn(on, 'db').filter((name) => kindOf(name) !== 'schema')",
    put: "namesOn(on, 'db')",
    tests: ['test/api/keys/keys.test.ts'],
  },
  {
    id: 'analysts-scope',
    breaks: "On the analysts' port a key without `read` may read.",
    file: 'api/analysts/gate.ts',
    find: "if (!may(caller, 'read')) throw",
    put: 'if (caller.scopes.size === 0) throw',
    tests: ['test/api/keys/keys.test.ts'],
  },
]
