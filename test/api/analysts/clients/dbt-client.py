"""Asks the analysts' port as an analyst would with dbt, from a project that it makes; prints its answers as JSON."""

import json
import os
import sys

from dbt.cli.main import dbtRunner

host, port, folder = sys.argv[1:]
files = {
    'dbt_project.yml': '{name: air, version: 1.0.0, config-version: 2, profile: air, flags: {send_anonymous_usage_stats: false}}',
    'profiles.yml': f'air: {{target: dev, outputs: {{dev: {{type: clickhouse, schema: air, host: {host}, port: {port}}}}}}}',
    'models/sources.yml': 'sources: [{name: air, tables: [{name: flights, columns: [{name: a, data_tests: [not_null]}]}]}]',
    'models/counts.sql': "select b, count() as n from {{ source('air', 'flights') }} group by b order by b",
}
for name, text in files.items():
    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)
places = ['--project-dir', folder, '--profiles-dir', folder, '--log-path', folder, '--quiet']
shown = dbtRunner().invoke(['show', '--select', 'counts', '--limit', '2', *places])
tested = dbtRunner().invoke(['test', *places])
print(json.dumps({
    'shown': [list(map(str, row)) for row in shown.result.results[0].agate_table.rows] if shown.success else str(shown),
    'tested': [str(result.status) for result in tested.result.results] if tested.success else str(tested),
}))
