/**
 * The filters of jq that pages of the documentation use: paths, `[filter]` and `{a, b}`, joined by ` | `. Gives a
 * line for each output, as `jq -c` does.
 */
export const jq = (filter: string, text: string): string =>
  outputsOf(filter, [JSON.parse(text)])
    .map((output) => JSON.stringify(output))
    .join('\n')

const outputsOf = (filter: string, inputs: readonly unknown[]): readonly unknown[] =>
  filter.split(' | ').reduce((values, stage) => values.flatMap((value) => applied(stage, value)), inputs)

function applied(stage: string, value: unknown): readonly unknown[] {
  const [, collected] = /^\[(.*)\]$/.exec(stage) ?? []
  if (collected !== undefined) return [outputsOf(collected, [value])]
  const [, members] = /^\{([\w, ]+)\}$/.exec(stage) ?? []
  if (members !== undefined)
    return [Object.fromEntries(members.split(', ').map((name) => [name, memberOf(value, name)]))]
  if (!/^(?:\.\w+|\.?\[\d*\])+$/.test(stage)) throw new Error(`the tests know no filter of jq like ${stage}`)
  return [...stage.matchAll(/\.(\w+)|\[(\d*)\]/g)].reduce<readonly unknown[]>(
    (values, [, name, index]) =>
      values.flatMap((each) => {
        if (name !== undefined) return [memberOf(each, name)]
        return index === '' ? Object.values(each as object) : [memberOf(each, String(index))]
      }),
    [value],
  )
}

const memberOf = (value: unknown, name: string): unknown => (value as Readonly<Record<string, unknown>>)[name] ?? null
