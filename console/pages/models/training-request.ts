import type { Column, ColumnType, Task } from './columns.ts'

export type Plan = {
  readonly schema: string
  readonly model: string
  readonly file: string
  readonly separator: string
  readonly isHeader: boolean
  readonly columns: readonly Column[]
  /** The positions of columns that nothing is learnt from. */
  readonly left: ReadonlySet<number>
  /** Types that the reader has chosen, by position. */
  readonly types: ReadonlyMap<number, ColumnType>
  /** Absent for clusters. */
  readonly target: Column | undefined
  /** As chosen; absent where the service is to decide. */
  readonly task?: Task | undefined
  readonly algorithm: string
  readonly own: Readonly<Record<string, unknown>>
  readonly tunes: boolean
  readonly isBalanced: boolean
}

const onWire = { number: 'DOUBLE', date: 'LONG', word: 'STRING' } as const

/** The body of `POST /ml/train`. Types that the reader has not chosen are left to the service, which judges by all rows. */
export function trainingRequest(plan: Plan): Readonly<Record<string, unknown>> {
  const { columns, left, types, target } = plan
  const isPlain = plan.isHeader && left.size === 0 && types.size === 0 && target !== undefined
  const kept = columns.filter(({ position }) => position === target?.position || !left.has(position))
  return {
    'schema-name': plan.schema,
    model_name: plan.model,
    algo_type: plan.algorithm,
    ...(Object.keys(plan.own).length > 0 && { algo_param: plan.own }),
    ...(plan.tunes && { tune_params: 1 }),
    ...(plan.isBalanced && { class_weight: 'balanced' }),
    ...(!isPlain && {
      attr_list: kept.map(({ name, position }) => {
        const type = types.get(position)
        return { name, position, ...(type !== undefined && { type: onWire[type] }) }
      }),
    }),
    training_details: {
      training_source_type: 'FILE',
      training_source: plan.file,
      input_format: 'CSV',
      header: plan.isHeader ? 1 : 0,
      ...(plan.separator !== ',' && { SEP: plan.separator === '\t' ? 'TAB' : plan.separator }),
      ...(target && (plan.isHeader ? { target: target.name } : { target_idx: target.position })),
      ...(plan.task !== undefined && { task: plan.task === 'classes' ? 'classify' : 'regress' }),
    },
  }
}

/** A name that a model may have, out of that of a file: `House Prices (2).csv` is `house_prices_2`. */
export function modelNameOf(file: string): string {
  const plain = file
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, 40)
  if (plain === '') return 'model'
  return /^\d/.test(plain) ? `model_${plain}` : plain
}

/** The fault of a name of a schema or a model. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if (!/^[A-Za-z_]\w*$/.test(name)) return 'letters, digits and underscores, the first one no digit'
  return name.length < 64 ? undefined : 'must be shorter than 64 characters'
}
