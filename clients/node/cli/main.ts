#!/usr/bin/env node
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { connect, type Weir, WeirError } from '../src/index.ts'
import { writeBackup } from './backup.ts'
import { completionFor } from './completion.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { type ImportOptions, importFiles, importRows } from './import.ts'
import { type Form, printAnswer, printRows, say, tell } from './print.ts'
import { chosen, profilesFile, readProfiles, saveProfile } from './profiles.ts'
import { branch } from './project/branch.ts'
import { apply, commitOf, fill, follow, init, plan, pull, test } from './project/commands.ts'
import { readProject } from './project/files.ts'
import { startThrowaway, type Throwaway } from './project/throwaway.ts'
import { yamlIn } from './project/yaml.ts'
import { sendFile, streamOf } from './send.ts'
import { sourceRows } from './sources.ts'
import { typesOf } from './types.ts'

type Global = {
  url?: string
  key?: string
  profile?: string
  json?: boolean
  csv?: boolean
  service?: string
  project?: string
}

const program = new Command('weir')
  .description('Weir from a shell: events in, questions out, models, projects.')
  .option('--url <url>', 'where Weir answers (WEIR_URL; http://localhost:18080)')
  .option('--key <key>', 'the key, where Weir asks for one (WEIR_KEY)')
  .option('--profile <name>', 'a url and key by name (WEIR_PROFILE)')
  .option('--json', 'answers as JSON, a row a line')
  .option('--csv', 'rows as CSV')
  .exitOverride()
  .showHelpAfterError('weir --help lists the commands, weir COMMAND --help says more')
  .addHelpText(
    'after',
    '\nIt ends with 0; 1: something failed, or lines were refused; 2: the arguments, or a plan that would change something;\n3: no answer came; 4: the key.',
  )

const options = (): Global => program.opts<Global>()
const formOf = ({ json, csv }: Global): Form => (json ? 'json' : csv ? 'csv' : 'table')
/** For a project: where its file says, unless an option or a profile says otherwise; changes bear its commit. */
const weirOf = (folder?: string): Weir => {
  const url = folder === undefined ? undefined : readProject(folder).url
  const commit = folder === undefined ? undefined : commitOf(folder)
  return connect({
    ...(url !== undefined && { url }),
    ...chosen(options()),
    ...(commit !== undefined && { headers: { 'x-weir-commit': commit } }),
    bigints: true,
    patience_ms: 5_000,
  })
}
const onNote = (note: string): void => tell(`note: ${note}`)
const example = (text: string): string =>
  `\nExamples:\n${text
    .split('\n')
    .map((line) => `  $ ${line}`)
    .join('\n')}`
/** name=value, several times. */
const gather = (text: string, before: Record<string, string>): Record<string, string> => {
  const equals = text.indexOf('=')
  if (equals <= 0) throw new Exit(exitCodes.usage, `'${text}': write name=value`)
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) }
}
const countIn = (text: string): number => {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 0) throw new Exit(exitCodes.usage, `'${text}' is no number of events`)
  return count
}
async function* firstOf<Row>(rows: AsyncIterable<Row>, limit: number): AsyncGenerator<Row> {
  let count = 0
  if (limit === 0) return
  for await (const row of rows) {
    yield row
    if (++count === limit) return
  }
}
const readText = (file: string): string => readFileSync(file === '-' ? 0 : file, 'utf8')

program
  .command('init [folder]')
  .description('write a project to begin with')
  .action((folder = '.') => init(folder))

program
  .command('status')
  .description('what answers, and how its parts are')
  .action(async () => {
    const weir = weirOf()
    const about = await weir.about()
    const health = await weir.health().catch((error: unknown) => {
      if (error instanceof WeirError && error.answer) return error.answer
      throw error
    })
    const { json } = options()
    if (json) say(JSON.stringify({ ...about, health }))
    else printAnswer({ version: about.version, commit: about.commit, ...(about.parts as object), ...health }, 'table')
  })

program
  .command('send <stream> <file>')
  .description('send events: NDJSON from a file (.gz too), or - for standard input')
  .option('--quiet', 'no progress')
  .addHelpText('after', example('weir send shop.orders orders.ndjson\nzcat old.gz | weir send shop.orders -'))
  .action((stream: string, file: string, { quiet }: { quiet?: boolean }) =>
    sendFile(weirOf(), stream, file, { isQuiet: quiet === true, isJson: options().json === true }),
  )

program
  .command('import <stream> <from>')
  .description('bring files of a bucket to a stream: BUCKET/KEY, or all whose keys begin so where it ends in /')
  .option('--format <format>', 'CSV, JSON, NDJSON or Parquet; else what the ending of the key says')
  .option('--separator <sign>', 'between the cells of CSV')
  .option(
    '-m, --map <attribute=column>',
    'the column of an attribute, several times; else columns are attributes',
    gather,
    {},
  )
  .option('--time <column>', "the column of the event's time")
  .option('--id <name>', 'a name: the same command under it goes on with the import that is there')
  .option('--no-wait', 'only begin')
  .addHelpText(
    'after',
    example(
      'weir import past.sales history/2025/sales.csv --time sold_at\nweir import past.sales history/2025/ --format Parquet -m price=Price --id sales_2025',
    ),
  )
  .action((stream: string, from: string, given: ImportOptions) =>
    importFiles(weirOf(), stream, from, given, formOf(options())),
  )

program
  .command('imports')
  .description('the imports, the newest first')
  .action(async () => void (await printRows(importRows(weirOf()), formOf(options()))))

program
  .command('sources')
  .description("topics of somebody else's Kafka, and how far each is behind")
  .action(async () => void (await printRows(sourceRows(weirOf()), formOf(options()))))

program
  .command('hooks [name]')
  .description('the doors for signed webhooks, or the latest deliveries to one with their verdicts')
  .action(async (name: string | undefined) => {
    const rows = name === undefined ? weirOf().hooks.list() : weirOf().hook(name).deliveries()
    await printRows(rows, formOf(options()))
  })

program
  .command('query <text>')
  .description("ask in Weir's own language, or change by it")
  .addHelpText(
    'after',
    example(
      "weir query 'select * from shop.orders where price > 100 limit 10'\nweir query 'select aggr(price) from shop.orders groupby country'",
    ),
  )
  .action(async (text: string) => {
    const weir = weirOf()
    if (/^\s*select\b/i.test(text)) await printRows(weir.query(text, { onNote }), formOf(options()))
    else printAnswer(await weir.run(text), formOf(options()))
  })

program
  .command('sql <text>')
  .description('ask in SQL; - reads it from standard input')
  .option('-p, --param <name=value>', 'a value for {name:Type}', gather, {})
  .addHelpText(
    'after',
    example(
      "weir sql 'SELECT country, count() FROM shop.orders GROUP BY country'\nweir sql 'SELECT * FROM shop.orders WHERE price > {least:Float64}' -p least=100 --csv",
    ),
  )
  .action(async (text: string, { param }: { param: Record<string, string> }) => {
    await printRows(weirOf().sql(text === '-' ? readText('-') : text, param, { onNote }), formOf(options()))
  })

program
  .command('tail <stream>')
  .description('events as they come')
  .option('--where <condition>', 'those that match')
  .option('--last <n>', 'begin with the latest n', countIn)
  .option('--limit <n>', 'end after n events', countIn)
  .action(async (stream: string, { where, last, limit }: { where?: string; last?: number; limit?: number }) => {
    const [schema, name] = streamOf(stream)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    const live = weirOf()
      .stream(schema, name)
      .live({
        signal: stop.signal,
        onNote: (note, data) => tell(`${note}: ${JSON.stringify(data)}`),
        ...(where !== undefined && { where }),
        ...(last !== undefined && { last }),
      })
    try {
      // Events are told at once: no table waits for its widths.
      await printRows(limit === undefined ? live : firstOf(live, limit), 'json')
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
  })

program
  .command('graph <name> <text>')
  .description('ask or change a graph')
  .action(async (name: string, text: string) => printAnswer(await weirOf().graph(name).query(text), formOf(options())))

program
  .command('saved [name] [values...]')
  .description('saved questions: all, or the rows of one, with name=value for its parameters')
  .addHelpText('after', example('weir saved\nweir saved revenue least=10'))
  .action(async (name: string | undefined, values: string[]) => {
    const weir = weirOf()
    if (name === undefined) {
      await printRows(weir.questions(), formOf(options()))
      return
    }
    const params = values.reduce<Record<string, string>>((all, value) => gather(value, all), {})
    await printRows(weir.saved(name).rows(params, { onNote }), formOf(options()))
  })

program
  .command('train <file>')
  .description('train a model: the request as JSON or YAML; waits for its end')
  .option('--no-wait', 'only begin')
  .action(async (file: string, { wait }: { wait: boolean }) => {
    const training = await weirOf().models.train(yamlIn(readText(file), file) as never)
    if (!wait) {
      printAnswer(training.begun, formOf(options()))
      return
    }
    for await (const { train_req_state, progress, waiting, notes } of training) {
      if (process.stderr.isTTY)
        process.stderr.write(
          `\rstate ${train_req_state}, ${Math.round(100 * (progress ?? 0))} %${waiting ? `, waits for ${waiting.for}` : ''}   `,
        )
      if (train_req_state === 25) for (const note of notes ?? []) tell(`\n${note}`)
    }
    say('trained')
  })

program
  .command('predict <model> <row>')
  .description('predict by SCHEMA.MODEL: one row as CSV, or as JSON with names')
  .addHelpText('after', example('weir predict shop.kinds 20,1\nweir predict shop.kinds \'{"price":20,"quantity":1}\''))
  .action(async (name: string, row: string) => {
    const [schema, model] = streamOf(name)
    const data = { input_format: row.trimStart().startsWith('{') ? 'JSON' : 'CSV', data: row }
    printAnswer(
      await weirOf().models.predict({ 'schema-name': schema, model_name: model, ...data } as never),
      formOf(options()),
    )
  })

program
  .command('models')
  .description('the models')
  .action(async () => void (await printRows(weirOf().models.list(), formOf(options()))))

const keys = program.command('keys').description('keys: list, make, revoke')
keys
  .command('list', { isDefault: true })
  .action(async () => void (await printRows(weirOf().keys.list(), formOf(options()))))
keys
  .command('make <name> <scopes>')
  .description('scopes with commas, such as read,ingest')
  .option('--on <places>', 'with commas, such as schema:shop,saved:revenue')
  .action(async (name: string, scopes: string, { on }: { on?: string }) => {
    const key = { name, scopes: scopes.split(','), ...(on !== undefined && { on: on.split(',') }) }
    printAnswer(await weirOf().keys.make(key as never), formOf(options()))
  })
keys.command('revoke <id>').action(async (id: string) => printAnswer(await weirOf().keys.revoke(id), formOf(options())))

program
  .command('backup <file>')
  .description('write a copy of all data: a tar file')
  .action(async (file: string) => {
    await writeBackup(weirOf(), file)
    say(file)
  })

program
  .command('types <files...>')
  .description('TypeScript for schemas in words: schemas/*.yaml')
  .option('-o, --out <file>', 'where; else standard output')
  .option('--check', 'writes nothing, and ends with 1 where the file of --out is not what it would be')
  .action((files: string[], { out, check }: { out?: string; check?: boolean }) => {
    const types = typesOf(files)
    if (check && out === undefined) throw new Exit(exitCodes.usage, '--check compares with the file of --out: name one')
    if (out === undefined) say(types)
    else if (!check) writeFileSync(out, `${types}\n`)
    else if (!existsSync(out) || readFileSync(out, 'utf8') !== `${types}\n`)
      throw new Exit(exitCodes.failed, `${out} is not made of these schemas as they are: weir types -o ${out} makes it`)
  })

program
  .command('open')
  .description('the console, in a browser')
  .action(() => {
    const url = `${(chosen(options()).url ?? 'http://localhost:18080').replace(/\/$/, '')}/console`
    say(url)
    const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
    execFile(opener, [url], () => {})
  })

const profile = program.command('profile').description('urls and keys by name, in a file that you alone can read')
profile
  .command('set <name>')
  .description('keep --url and --key under a name; default is taken where none is named')
  .action((name: string) => {
    const { url, key } = options()
    if (url === undefined) throw new Exit(exitCodes.usage, 'a profile needs --url')
    saveProfile(name, { url, ...(key !== undefined && { key }) })
    say(`${name} is in ${profilesFile()}`)
  })
profile.command('list', { isDefault: true }).action(() => {
  for (const [name, { url, key }] of Object.entries(readProfiles()))
    say(`${name}  ${url ?? ''}${key ? '  with a key' : ''}`)
})
profile.command('remove <name>').action((name: string) => saveProfile(name, undefined))

const inFolder = (command: Command): Command =>
  command.option('-C, --folder <folder>', 'the folder of the project', '.')
type Applying = { folder: string; allowLoss?: boolean; prune?: boolean }
const planning = ({ allowLoss, prune }: Applying) => ({ allowLoss: allowLoss === true, prune: prune === true })

inFolder(program.command('plan'))
  .description('what applying the project would do; ends with 2 where that is something')
  .option('--prune', 'with what would be removed')
  .action((given: Applying) => plan(weirOf(given.folder), given.folder, planning(given), formOf(options())))
inFolder(program.command('apply'))
  .description('make the service as the project says')
  .option('--allow-loss', 'also what loses data')
  .option('--prune', 'remove schemas and saved questions that the project has not')
  .action((given: Applying) => apply(weirOf(given.folder), given.folder, planning(given), formOf(options())))
program
  .command('pull [folder]')
  .description('write a project from a service')
  .action((folder = '.') => pull(weirOf(), folder))
inFolder(program.command('test'))
  .description('the project on a throwaway Weir: applied, fixtures sent, tests compared')
  .option('--service <folder>', 'the folder of Weir (WEIR_SERVICE)')
  .action(({ folder, service }: { folder: string; service?: string }) => test(folder, service, formOf(options())))
inFolder(program.command('dev'))
  .description('a throwaway Weir with the project, made anew at each change of a file')
  .option('--service <folder>', 'the folder of Weir (WEIR_SERVICE)')
  .action(async ({ folder, service }: { folder: string; service?: string }) => {
    const throwaway = await startThrowaway(service)
    const weir = connect({ url: throwaway.url, bigints: true })
    await orEnd(throwaway, async () => fill(weir, readProject(folder)))
    say(`the project is at ${throwaway.url}, its console at ${throwaway.url}/console; Ctrl-C ends it`)
    let due: NodeJS.Timeout | undefined
    watch(folder, { recursive: true }, () => {
      clearTimeout(due)
      due = setTimeout(() => {
        follow(weir, folder).catch((error: unknown) => tell(lineOf(error)))
      }, 200)
    })
    await endOf(throwaway)
  })

program
  .command('branch')
  .description('a throwaway Weir with the definitions and the latest events of a running one')
  .option('--last <n>', 'so many events of each stream', countIn, 10_000)
  .option('--service <folder>', 'the folder of Weir (WEIR_SERVICE)')
  .action(async ({ last, service }: { last: number; service?: string }) => {
    const throwaway = await startThrowaway(service)
    await orEnd(throwaway, () => branch(weirOf(), connect({ url: throwaway.url, bigints: true }), last))
    say(`the branch is at ${throwaway.url}, its console at ${throwaway.url}/console; Ctrl-C ends it`)
    await endOf(throwaway)
  })

program
  .command('completion <shell>')
  .description('completes the words of this command: source <(weir completion bash)')
  .action((shell: string) => say(completionFor(shell, program)))

/** Ends a throwaway Weir that did not come to what it is for; else the command would wait for it. */
async function orEnd(throwaway: Throwaway, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await throwaway.end()
    throw error
  }
}

async function endOf(throwaway: Throwaway): Promise<never> {
  await throwaway.untilSignal()
  await throwaway.end()
  process.exit(0)
}

function lineOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function codeOf(error: unknown): number {
  if (error instanceof Exit) return error.code
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
  if (!(error instanceof WeirError)) return exitCodes.failed
  if (error.kind === 'unauthorized' || error.kind === 'forbidden') return exitCodes.key
  return error.kind === 'network' || error.kind === 'timeout' || error.kind === 'foreign'
    ? exitCodes.network
    : exitCodes.failed
}

// A reader that has enough, such as head, ends the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})
for (const command of program.commands) command.exitOverride()
try {
  await program.parseAsync()
} catch (error) {
  const isSaid = error instanceof CommanderError || (error instanceof Exit && error.message === '')
  if (!isSaid) tell(`weir: ${lineOf(error)}`)
  process.exitCode = codeOf(error)
}
