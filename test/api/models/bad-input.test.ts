import test from 'ava'
import { startService } from '../../support/service.ts'
import { pointsCsv } from './data.ts'
import { type Asked, createTrainer, requestOf } from './trainer.ts'

const service = await startService()
const { client } = service
const trainer = createTrainer(client)
test.after.always(() => service.close())

const data = pointsCsv(40)

/** Requests that are wrong by themselves, and what the answer must say. */
const refused: Readonly<Record<string, readonly [Asked, RegExp]>> = {
  'all classes together by a solver that learns one against the rest': [
    { algo_type: 'LIN', more: { algo_param: { multi_class: 'multinomial', solver: 2 } } },
    /multi_class multinomial is for solver 0 \(L2R_LR\), and solver is 2/,
  ],
  'an unknown algorithm': [{ algo_type: 'GUESS' }, /algo_type: unknown algorithm 'GUESS'; known are SVM, LIN/],
  'an unknown parameter': [{ algo_type: 'SVM', more: { algo_param: { kernle: 2 } } }, /unknown parameter 'kernle'/],
  'a parameter out of range': [{ algo_type: 'SVM', more: { algo_param: { nu: 2 } } }, /'nu' is 2; it must be a number/],
  'a name that leads elsewhere': [{ algo_type: 'SVM', more: { model_name: '../m' } }, /model_name/],
  'a schema that is no name': [{ algo_type: 'SVM', more: { 'schema-name': 'a b' } }, /schema-name/],
  'a file that leads elsewhere': [
    { algo_type: 'SVM', file: '../../etc/passwd' },
    /training_source: must be a plain name/,
  ],
  'no attributes': [{ algo_type: 'SVM', more: { attr_list: [] } }, /attr_list: is missing/],
  'no target': [
    { algo_type: 'LIN', details: { target_idx: undefined } },
    /training_details.target_idx: is missing: LIN needs a target/,
  ],
  'a target that no name has': [
    { algo_type: 'LIN', details: { input_format: 'JSON', target_idx: 9 } },
    /training_details.target_idx: is 9, which no attribute/,
  ],
  'a label of texts at no place': [
    { algo_type: 'IE', details: { target_idx: 7 }, more: { attr_list: undefined } },
    /^training_details.target_idx: is 7; the label is at 0 \(label\) or 1 \(text\)$/,
  ],
  'more attributes than TEXT has': [
    { algo_type: 'LIN', details: { input_format: 'TEXT' } },
    /^training_details.input_format: is TEXT, a label and one text a line; attr_list has 3 attributes beside the target$/,
  ],
  'more attributes than TEXT holds': [
    { algo_type: 'KMEANS', details: { expected_format: 'TEXT' } },
    /^training_details.expected_format: is TEXT, a label and one text a line; attr_list has 3 attributes beside/,
  ],
  'attributes that neither a list nor a header names': [
    {
      algo_type: 'LIN',
      details: { target_idx: undefined, target: 'label', header: 0 },
      more: { attr_list: undefined },
    },
    /^training_details.header: is 0, and attr_list is absent: nothing names the attributes$/,
  ],
  'series that neither a list nor a header names': [
    {
      algo_type: 'TREE',
      details: { target_idx: undefined, target: 'a' },
      more: { attr_list: undefined, header: 0, algo_param: { lag: 3, time: 'b' } },
    },
    /^header: is 0, and attr_list is absent: nothing names the attributes$/,
  ],
  'an unknown format': [
    { algo_type: 'SVM', details: { input_format: 'XML' } },
    /unknown format 'XML'; known are 0 SVM/,
  ],
  'texts without the place of their labels': [
    { algo_type: 'IE', details: { target_idx: undefined } },
    /^training_details.target_idx: is missing: IE takes the label of a text there$/,
  ],
  'texts of three attributes': [
    { algo_type: 'IE' },
    /^attr_list: has 3 attributes beside the label; IE learns from one text$/,
  ],
  'named entities in CSV': [
    { algo_type: 'IE_NER' },
    /^training_details.input_format: is CSV; IE_NER learns from lines/,
  ],
  'a separator of no character': [
    { algo_type: 'LIN', details: { SEP: '' } },
    /^training_details.SEP: must be one character, or TAB; no quote or line end$/,
  ],
  'a separator that ends lines': [{ algo_type: 'LIN', details: { SEP: '\r' } }, /^training_details.SEP: must be/],
  'a separator that quotes': [{ algo_type: 'TREE', details: { SEP: '"' } }, /^training_details.SEP: must be/],
  'a weight of SVM that is no number': [
    { algo_type: 'SVM', more: { algo_param: { weight: ['x'] } } },
    /weight 'x' must be a number above 0/,
  ],
  'weights of LIN without their labels': [
    { algo_type: 'LIN', more: { algo_param: { weight: [2] } } },
    /weight_label has 0 entries, weight has 1 and nr_weight is 0; they must agree/,
  ],
  'more weights of TREE than a target has labels': [
    {
      algo_type: 'TREE',
      more: {
        algo_param: { weight: new Array(1001).fill(2), weight_label: Array.from({ length: 1001 }, (_, i) => i) },
      },
    },
    /weight_label has 1001 entries, more than the 1000 labels that a target can have/,
  ],
  'a balance that is none': [
    { algo_type: 'TREE', more: { class_weight: 'even' } },
    /class_weight: must be one of balanced/,
  ],
  'a balance of clusters': [
    { algo_type: 'KMEANS', more: { class_weight: 'balanced' } },
    /^class_weight: is balanced, and KMEANS learns no classes$/,
  ],
  'class weights of another kind': [
    { algo_type: 'LIN', details: { class_weight: 'heavy' } },
    /^training_details.class_weight: must be one of balanced$/,
  ],
  'class weights of named entities': [
    { algo_type: 'IE_NER', details: { input_format: 'JSON' }, more: { attr_list: [], class_weight: 'balanced' } },
    /^class_weight: is balanced, and IE_NER learns no classes$/,
  ],
  'class weights of a regression by its parameters': [
    { algo_type: 'SVM', more: { algo_param: { svm_type: 3, class_weight: 'balanced' } } },
    /class_weight is for svm_type C_SVC/,
  ],
  'class weights of a machine without costs': [
    { algo_type: 'SVM', more: { algo_param: { svm_type: 'NU_SVC', class_weight: 'balanced' } } },
    /class_weight is for svm_type C_SVC/,
  ],
  'class weights of a target that is declared to be numbers': [
    { algo_type: 'TREE', details: { task: 'regress', class_weight: 'balanced' } },
    /^class_weight: is balanced, and the target holds numbers, which have no classes$/,
  ],
  'balanced class weights beside others': [
    { algo_type: 'LIN', more: { algo_param: { class_weight: 'balanced', weight: [2], weight_label: ['red'] } } },
    /class_weight is balanced, and weight_label or weight is given; give one/,
  ],
  'a share held out that is all': [
    { algo_type: 'LIN', details: { holdout: { share: 1 } } },
    /^training_details.holdout.share: must be between 0 and 1, and neither of them$/,
  ],
  'a share held out that is none': [
    { algo_type: 'LIN', details: { holdout: { share: 0 } } },
    /^training_details.holdout.share: must be between 0 and 1, and neither of them$/,
  ],
  'a share held out that is no number': [
    { algo_type: 'LIN', more: { holdout: { share: 'much' } } },
    /^holdout.share: must be a share between 0 and 1$/,
  ],
  'a holdout that is no object': [
    { algo_type: 'LIN', details: { holdout: 0.2 } },
    /^training_details.holdout: must be an object$/,
  ],
  'a holdout of two ways': [
    { algo_type: 'LIN', details: { holdout: { time: 'a', group: 'colour' } } },
    /^training_details.holdout: has more than one of time, group and file; give one$/,
  ],
  'a holdout by an attribute that there is not': [
    { algo_type: 'LIN', details: { holdout: { group: 'color' } } },
    /^training_details.holdout.group: is 'color', which attr_list does not name; did you mean colour\?/,
  ],
  'a holdout by the target': [
    { algo_type: 'LIN', details: { holdout: { group: 'label' } } },
    /^training_details.holdout.group: is 'label', the target; it must be another attribute$/,
  ],
  'a file held out by a share of it': [
    { algo_type: 'LIN', details: { holdout: { file: 'test.csv', share: 0.5 } } },
    /^training_details.holdout.share: stands beside file, whose rows are held out whole$/,
  ],
  'the training file as the one held out': [
    { algo_type: 'LIN', details: { holdout: { file: 'data.csv' } } },
    /^training_details.holdout.file: is the training file; it must be another one$/,
  ],
  'a file held out that leads elsewhere': [
    { algo_type: 'LIN', details: { holdout: { file: '../x' } } },
    /^training_details.holdout.file: must be a plain name/,
  ],
  'LIBSVM data without names by an attribute': [
    {
      algo_type: 'LIN',
      details: { input_format: 'SVM', target_idx: 0, holdout: { time: 'f1' } },
      more: { attr_list: [] },
    },
    /^training_details.holdout.time: is 'f1', and LIBSVM data without attr_list stay as they are, without names; share or/,
  ],
  'a target that is not to be learnt from': [
    {
      algo_type: 'LIN',
      details: { target_idx: 1 },
      more: {
        attr_list: [
          { name: 'a', position: 0 },
          { name: 'b', position: 1, learn: 0 },
        ],
      },
    },
    /^attr_list: attribute 'b' is the target, with learn 0$/,
  ],
  'more weights of TREE than there are': [
    { algo_type: 'TREE', more: { algo_param: { nr_weight: 3, weight: [2], weight_label: ['x'] } } },
    /weight_label has 1 entries, weight has 1 and nr_weight is 3/,
  ],
  'true for a number': [
    { algo_type: 'KMEANS', more: { algo_param: { k: true } } },
    /parameter 'k' is true; it must be an integer/,
  ],
  'a target whose place is no number': [
    { algo_type: 'LIN', details: { target_idx: 'c' } },
    /^training_details.target_idx: must be a whole number from -1 to \d+$/,
  ],
  'attributes without a place': [
    { algo_type: 'LIN', more: { attr_list: [{ name: 'a' }, { name: 'b' }] } },
    /^attr_list\[0\].position: is missing\nattr_list\[1\].position: is missing$/,
  ],
  'attributes that are no list': [{ algo_type: 'LIN', more: { attr_list: 'a,b' } }, /^attr_list: must be an array$/],
  'an unknown speed': [
    { algo_type: 'SVM', details: { train_speed: 9 } },
    /unknown train_speed 9; known are 1 VERY FAST/,
  ],
  'no time to tune in': [
    { algo_type: 'TREE', more: { tune_params: 1, tune_budget_s: 0 } },
    /^tune_budget_s: must be a number of seconds above 0, at most 36000$/,
  ],
  'a day and more to tune in': [
    { algo_type: 'TREE', more: { tune_params: 1 }, details: { tune_budget_s: 100_000 } },
    /^training_details.tune_budget_s: must be a number of seconds above 0, at most 36000$/,
  ],
  'a time to tune in that is no number': [
    { algo_type: 'IE', details: { target_idx: 1 }, more: { tune_params: 1, tune_budget_s: 'long' } },
    /^tune_budget_s: must be a number of seconds above 0, at most 36000$/m,
  ],
  'a kind of attributes that there is not, 0': [
    { algo_type: 'LIN', more: { attr_type: 0 } },
    /attr_type: unknown attr_type 0; known are 1 NUM/,
  ],
  'a kind of attributes that is no code': [
    { algo_type: 'LIN', more: { attr_type: [] } },
    /attr_type: unknown attr_type array; known are 1 NUM/,
  ],
  'a script without a name': [{ algo_type: 'PY' }, /algo_param.script/],
}

for (const [what, [asked, expected]] of Object.entries(refused)) {
  test(`${what} is refused at once, and nothing of the request is kept`, async (t) => {
    const { status, body } = await client.post('/ml/train', requestOf('refused', asked))
    t.is(status, 400)
    t.like(body, { errcode: -1, errorcode: -1 })
    t.regex(body.error.join('\n'), expected)
    t.is((await client.get('/ml/shop/refused/request')).status, 404)
  })
}

/** A target at a place that the list does not name, and what the answer says beside success. */
const unlisted: Readonly<Record<string, readonly [Readonly<Record<string, unknown>>, string]>> = {
  'a column of CSV': [
    { target_idx: 9 },
    'training_details.target_idx is 9, which no attribute of attr_list has: the column there is the target',
  ],
  'a place of LIBSVM data': [
    { target_idx: 9, input_format: 'SVM' },
    'training_details.target_idx does nothing: a line of SVM begins with the label',
  ],
}

for (const [what, [details, expected]] of Object.entries(unlisted)) {
  test(`${what} may be the target that the list does not name, and the answer says so`, async (t) => {
    const model = what.replace(/\W/g, '_')
    const { error } = await client.ok(client.post('/ml/train', requestOf(model, { algo_type: 'LIN', details })))
    t.deepEqual(error, [expected])
    t.is(await trainer.ended(model), 11)
  })
}

test('no file is made of the events of an entity stream: it has none', async (t) => {
  const user = { name: 'user', type: 5, iatr: ['user'] }
  const enty = [{ name: 'e', opid: 1, ratr: ['seen'], iatr: ['user'], pkatr: [user], rstm: 'users' }]
  const attr = [
    { name: 'user', type: 5, pk: 1 },
    { name: 'seen', type: 9 },
  ]
  const streams = [
    { name: 'visits', type: 1, attr: [{ name: 'user', type: 5 }], enty },
    { name: 'users', type: 4, inpt: ['visits'], attr },
  ]
  await client.register({ schema: 'shop', streams })
  const upload = {
    'schema-name': 'shop',
    'stream-name': 'users',
    model_name: 'refused',
    file_name: 'f',
    duration_sec: 60,
  }
  const { status, body } = await client.post('/stream/upload_data', upload)
  t.is(status, 400)
  t.deepEqual(body.error, ['shop.users is an entity stream: it holds aggregates, and no events'])
})

/** Data that are wrong, the state that the training ends in, and what its log must say. */
const failing: Readonly<Record<string, readonly [text: string | undefined, state: number, RegExp, Partial<Asked>?]>> = {
  'a file that is not there': [undefined, 11, /there is no training file/],
  'an empty file': ['', 12, /hold no row/],
  'rows without a target alone': [data.replace(/red|blue/g, ''), 12, /no row with a value of label: 40 without one/],
  'ragged rows': [`${data}0.5,0.5,warm\n`, 12, /line 41: the row has 3 cells in place of 4/],
  'a cell that is no number': [`${data}0.5,much,warm,red\n`, 12, /line 41, column 2, attribute 'b': 'much'/],
  'a cell that is not a number': [`${data}0.5,much,warm,red\n`, 12, /line 41, column 2, attribute 'b': 'much' is no/],
  'one class alone': [data.replaceAll('blue', 'red'), 18, /one class alone, 'red'/],
  'a target beyond the cells': [
    data,
    12,
    /target_idx is 9, and the first row has 4 cells, at positions 0 to 3$/,
    { details: { target_idx: 9 } },
  ],
  'a target beyond the cells of a header': [
    `a,b,colour,label\n${data}`,
    12,
    /target_idx is 4, and the first row has 4 cells, at positions 0 to 3$/,
    { details: { target_idx: 4 } },
  ],
  'LIBSVM data with a feature at the place of the target': [
    '1 1:2 2:3\n0 1:1 2:2\n',
    12,
    /line 1: position 2 is that of the target, with whose label a row begins, and no feature's/,
    {
      details: { input_format: 'SVM', expected_format: 'SVM', target_idx: 2 },
      more: { attr_list: ['x', 'y'].map((name, i) => ({ name, position: i + 1 })) },
    },
  ],
  'words where a script expects SVM': [
    data,
    13,
    /'(warm|cold)' is a word/,
    { algo_type: 'PY', details: { expected_format: 'SVM' }, more: { algo_param: { script: 'any.py' } } },
  ],
  'more clusters than rows': [data, 18, /only 40 rows/, { algo_type: 'KMEANS', more: { algo_param: { k: 1000 } } }],
  'a script that is not there': [
    data,
    11,
    /no script gone.py/,
    { algo_type: 'PY', more: { algo_param: { script: 'gone.py' } } },
  ],
}

for (const [what, [text, state, expected, asked]] of Object.entries(failing)) {
  test(`${what} ends the training with state ${state} and the reason, and nothing is published`, async (t) => {
    const model = what.replace(/\W/g, '_')
    if (text !== undefined) await trainer.upload(model, text)
    await client.ok(client.send('PUT', '/brs/weir_udf_bucket/object/any.py', ''))
    t.is(await trainer.train(model, { algo_type: 'SVM', ...asked }), state)
    const { train_log, train_end_ts } = await trainer.recordOf(model)
    t.regex(train_log.log.at(-1), expected)
    t.is(train_log.errorcode, state)
    t.true(train_end_ts > 0)
    t.is((await client.get(`/ml/shop/${model}/versions`)).status, 404)
  })
}

/** A script, the state, and what the log must say. */
const scripts: Readonly<Record<string, readonly [script: string, RegExp, limits?: Readonly<Record<string, number>>]>> =
  {
    'a script that fails': ['raise ValueError("no idea")', /ValueError: no idea/],
    'a script that hangs': ['while True: pass', /stopped/, { time_limit_s: 1 }],
    'a script without a model': ['print("done")', /wrote no model.onnx/],
    'a script whose model does not load': ['open("model.onnx", "w").write("no model")', /does not load/],
  }

for (const [what, [script, expected, limits]] of Object.entries(scripts)) {
  test(`${what} ends the training with state 16`, async (t) => {
    const model = what.replace(/\W/g, '_')
    await client.ok(client.send('PUT', `/brs/weir_udf_bucket/object/${model}.py`, script))
    await trainer.upload(model, data)
    const more = { algo_param: { script: `${model}.py`, ...limits } }
    t.is(await trainer.train(model, { algo_type: 'PY', more }), 16)
    t.regex((await trainer.recordOf(model)).train_log.log.join('\n'), expected)
    t.is((await client.get('/health/live')).status, 200)
  })
}
