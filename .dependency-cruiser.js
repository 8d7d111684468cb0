// The layer rule of the rooms: imports go to the left only. `npm test` holds it.

const rooms = ['base', 'sql', 'learn', 'infra', 'activities', 'workflows', 'jobs', 'commands', 'api']
const outside = ['console', 'clients', 'test', 'bench', 'examples', 'scripts', 'dist']

/** One rule a room: nothing from the rooms to its right, nor from outside the rooms.
 * @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const toTheLeftOnly = rooms.map((room, place) => ({
  name: `${room}-imports-to-the-left`,
  comment: `${rooms.join(' < ')}: a room imports from itself and from the rooms to its left.`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: { path: `^(${[...rooms.slice(place + 1), ...outside].join('|')})/` },
}))

/** The nouns of the activities: one imports from the floors below its own, and from no other noun of its floor. */
const floors = [
  ['audit', 'events', 'registry', 'undo'],
  ['keys', 'objects', 'rules'],
  ['graphs', 'ingest', 'pages', 'stream-data'],
  ['models'],
  ['prediction'],
  ['training'],
  ['schemas'],
  ['tables'],
  ['notifications'],
  ['queries'],
  ['analysts', 'capture', 'health', 'hooks', 'imports', 'live', 'sources'],
  ['saved'],
]

/** One rule a noun: nothing from its own floor's other nouns, from the floors above, or from what composes them all.
 * @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const floorByFloor = floors.flatMap((nouns, floor) =>
  nouns.map((noun) => {
    const others = [...nouns.filter((each) => each !== noun), ...floors.slice(floor + 1).flat()]
    const composing = '^activities/[^/]+$'
    return {
      name: `${noun}-imports-from-below`,
      comment: `${floors.map((each) => each.join(', ')).join(' < ')}: a noun imports from the floors below its own.`,
      severity: 'error',
      from: { path: `^activities/${noun}/` },
      to: { path: others.length > 0 ? `^activities/(${others.join('|')})/|${composing}` : composing },
    }
  }),
)

/** @type {import('dependency-cruiser').DependencyType[]} */
const npm = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...toTheLeftOnly,
    ...floorByFloor,
    {
      name: 'every-noun-has-a-floor',
      comment: `A folder of activities/ is named in the floors of this file: ${floors.flat().join(', ')}.`,
      severity: 'error',
      from: {},
      to: { path: '^activities/[^/]+/', pathNot: `^activities/(${floors.flat().join('|')})/` },
    },
    {
      name: 'clients-stand-alone',
      comment: 'A client is a package of its own: it knows nothing of the service but its document.',
      severity: 'error',
      from: { path: '^clients/' },
      to: { path: `^(${[...rooms, 'console', 'examples', 'scripts'].join('|')})/` },
    },
    {
      name: 'client-runs-in-browsers',
      comment: 'clients/node/src runs in browsers, too, and needs no package.',
      severity: 'error',
      from: { path: '^clients/node/src/' },
      to: { dependencyTypes: ['core', ...npm] },
    },
    {
      name: 'logs-are-twins',
      comment: 'The embedded log and Kafka know nothing of each other: both share infra/log/shared and infra/memory.',
      severity: 'error',
      from: { path: '^infra/log/(embedded|kafka)/' },
      to: { path: '^infra/log/(embedded|kafka)/', pathNot: '^infra/log/$1/' },
    },
    {
      name: 'memory-is-below-the-logs',
      comment: 'The memory of rules is one for both logs.',
      severity: 'error',
      from: { path: '^infra/(memory|log/shared)/' },
      to: { path: '^infra/log/(embedded|kafka)/' },
    },
    {
      name: 'workflows-see-activities-as-types',
      comment: 'Temporal runs workflows in a sandbox: use `import type`.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-do-no-io',
      comment: 'Temporal replays workflows: they touch neither the machine nor its clock.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'learn-imports-base-alone',
      comment: 'learn/ could be a package of its own.',
      severity: 'error',
      from: { path: '^learn/' },
      to: { path: '^sql/' },
    },
    {
      name: 'learn-does-no-io',
      comment:
        'Numbers and texts in, ONNX out: no `node:` module, and of packages zod and the tensors of onnxruntime-node.',
      severity: 'error',
      from: { path: '^learn/' },
      to: {
        dependencyTypes: ['core', ...npm],
        pathNot: '(^|/)node_modules/(zod|onnxruntime-node|onnxruntime-common)/',
      },
    },
    {
      name: 'sql-does-no-io',
      comment: 'sql/ turns values into values: no `node:` module.',
      severity: 'error',
      from: { path: '^sql/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sql-needs-three-packages',
      comment: 'sql/ imports zod, lossless-json and re2js, no other package.',
      severity: 'error',
      from: { path: '^sql/' },
      to: { dependencyTypes: npm, pathNot: '(^|/)node_modules/(zod|lossless-json|re2js)/' },
    },
    {
      name: 'no-development-packages',
      comment: 'The service runs on `dependencies` alone.',
      severity: 'error',
      from: { path: `^(${rooms.join('|')})/` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'console-speaks-the-api',
      comment: 'The page knows the calls alone: no code of a room, and no module of Node.',
      severity: 'error',
      from: { path: '^console/', pathNot: '^console/build\\.js$' },
      to: { path: `^(${[...rooms, ...outside.filter((name) => name !== 'console')].join('|')})/` },
    },
    {
      name: 'console-runs-in-browsers',
      comment: 'There are no modules of Node.',
      severity: 'error',
      from: { path: '^console/', pathNot: '^console/build\\.js$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'http-only-in-api',
      comment: 'What imports koa or node:http stands in api/.',
      severity: 'error',
      from: { path: `^(${rooms.filter((room) => room !== 'api').join('|')})/` },
      to: { path: '(^|/)node_modules/(koa|@koa/router|@types/koa|@types/koa__router)/|^(node:)?https?$' },
    },
    {
      name: 'commands-are-started',
      comment: 'Each file of commands/ is a program, or what programs alone need: importing one would run it.',
      severity: 'error',
      from: { pathNot: '^commands/' },
      to: { path: '^commands/' },
    },
    {
      name: 'routes-say-what-they-need',
      comment: 'A route is made by createRoutes(), which asks for its scope: no router of its own.',
      severity: 'error',
      from: { path: '^api/', pathNot: '^api/auth/routes\\.ts$' },
      to: { path: '(^|/)node_modules/@koa/router/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'engine-where-it-is-needed',
      comment:
        'The image for servers has no chDB: the files that load it are imported by `import()`, once they are needed.',
      severity: 'error',
      from: { path: `^(${rooms.join('|')})/`, pathNot: '^infra/clickhouse/(embedded|analysts)/' },
      to: {
        path: '^infra/clickhouse/(embedded|analysts)/|(^|/)node_modules/chdb/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'api-sees-no-clickhouse',
      comment:
        "A route asks activities/; the analysts' port speaks ClickHouse's protocol, and an error is told from others.",
      severity: 'error',
      from: { path: '^api/', pathNot: '^api/(analysts/|http/errors\\.ts$)' },
      to: { path: '^infra/clickhouse/|(^|/)node_modules/@clickhouse/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-circles',
      comment: 'No file imports itself by way of others, as a type neither.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'found',
      comment: 'Every import leads to a file.',
      severity: 'error',
      from: {},
      // The page's build makes that one.
      to: { couldNotResolve: true, pathNot: '^weir:help$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
