// The clients of ClickHouse with which the tests ask the analysts' port, beside clickhouse-connect.

import { join } from 'node:path'
import { root } from '../processes/run.js'
import { clickHouseConnect } from './clickhouse-connect.js'
import { ensureGoBuild } from './go.js'
import { ensureJars } from './jars.js'
import { ensurePythonPackages } from './python-packages.js'

const clients = 'test/api/analysts/clients'

/** The newest version that was tried, and the last one that does not ask for the server's revision.
 * @type {Readonly<Record<string, string>>} */
const modulesOf = { 2.51: 'go', 2.36: '2.36' }

/** @param {string} version a key of `modulesOf`
 * @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export const ensureClickHouseGo = (version) =>
  ensureGoBuild({
    name: `clickhouse-go-${version}`,
    folder: `${clients}/clickhouse-go`,
    modules: modulesOf[version] ?? 'go',
    otherwise: `CLICKHOUSE-GO ${version} TESTS SKIPPED`,
  })

/** @returns {Promise<string | undefined>} the folder of its jars; undefined where it cannot be had, which is said */
export const ensureJdbc = () =>
  ensureJars({
    name: 'clickhouse-jdbc',
    pom: `${clients}/jdbc.xml`,
    size: '22 MB',
    tried: [join(root, clients, 'Jdbc.java')],
  })

const dbt = [
  'dbt-clickhouse==1.10.3',
  ...clickHouseConnect,
  'agate==1.9.1',
  'annotated-types==0.8.0',
  'attrs==26.1.0',
  'babel==2.18.0',
  'charset-normalizer==3.5.3',
  'click==8.5.1',
  'clickhouse-driver==0.2.11',
  'colorama==0.4.6',
  'daff==1.4.2',
  'dbt-adapters==1.24.5',
  'dbt-common==1.39.0',
  'dbt-core==1.11.16',
  'dbt-extractor==0.6.0',
  'dbt-protos==1.0.615',
  'dbt-semantic-interfaces==0.9.0',
  'deepdiff==8.6.2',
  'idna==3.20',
  'importlib-metadata==8.9.0',
  'isodate==0.7.2',
  'jinja2==3.1.6',
  'jsonschema==4.26.0',
  'jsonschema-specifications==2025.9.1',
  'leather==0.4.1',
  'markupsafe==3.0.4',
  'mashumaro==3.14',
  'more-itertools==10.8.0',
  'msgpack==1.2.4',
  'networkx==3.6.1',
  'opentelemetry-api==1.45.2',
  'orderly-set==5.5.0',
  'packaging==26.4',
  'parsedatetime==2.6',
  'pathspec==0.12.1',
  'protobuf==6.33.6',
  'pydantic==2.14.4',
  'pydantic-core==2.50.5',
  'python-dateutil==2.9.0.post0',
  'python-slugify==9.2.0',
  'pytimeparse==1.1.10',
  'pytz==2026.6',
  'pyyaml==6.0.4',
  'referencing==0.37.0',
  'requests==2.34.2',
  'rpds-py==2026.9.1',
  'six==1.17.0',
  'snowplow-tracker==1.1.0',
  'sqlparse==0.6.1',
  'text-unidecode==1.3',
  'typing-extensions==4.16.0',
  'typing-inspection==0.4.5',
  'tzlocal==5.4.5',
  'zipp==4.1.2',
]

const ibis = [
  'ibis-framework==12.0.0',
  ...clickHouseConnect,
  'atpublic==9.0.0',
  'markdown-it-py==4.3.0',
  'mdurl==0.1.2',
  'numpy==2.4.6',
  'pandas==3.1.1',
  'parsy==2.2',
  'pyarrow==26.0.1',
  'pyarrow-hotfix==0.7',
  'pygments==2.21.0',
  'python-dateutil==4.0.0',
  'rich==15.0.0',
  'sqlglot==30.30.0',
  'toolz==1.2.0',
  'typing-extensions==4.16.0',
  'tzdata==2026.6',
]

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureDbt = () => ensurePythonPackages('dbt.adapters.clickhouse', dbt)

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureIbis = () => ensurePythonPackages('ibis.backends.clickhouse', ibis)
