// Generators of clients, which read Weir's OpenAPI document in the tests.

import { ensureJars } from './jars.js'
import { ensurePythonPackages } from './python-packages.js'

const python = [
  'openapi-python-client==0.29.1',
  'annotated-doc==0.0.7',
  'annotated-types==0.8.0',
  'anyio==4.16.0',
  'attrs==26.1.0',
  'certifi==2026.10.19.post1',
  'h11==0.16.0',
  'httpcore==1.0.9',
  'httpx==0.28.1',
  'idna==3.20',
  'jinja2==3.1.6',
  'markdown-it-py==4.3.0',
  'markupsafe==3.0.4',
  'mdurl==0.1.2',
  'pydantic==2.14.4',
  'pydantic-core==2.50.5',
  'pygments==2.21.0',
  'rich==15.0.0',
  'ruamel-yaml==0.19.1',
  'ruff==0.17.6',
  'shellingham==1.5.4',
  'typer==0.27.3',
  'typing-extensions==4.16.0',
  'typing-inspection==0.4.5',
]

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureOpenApiPythonClient = () => ensurePythonPackages('openapi_python_client', python)

/** @returns {Promise<string | undefined>} the folder of the jars that its clients in Java import; undefined where it cannot be had */
export const ensureOpenApiJava = () =>
  ensureJars({
    name: 'openapi-java',
    pom: 'test/api/operation/openapi-java.xml',
    size: '7 MB',
    tried: ['--version'],
  })

/** @returns {Promise<string | undefined>} the folder of its jar; undefined where it cannot be had, which is said */
export const ensureOpenApiGenerator = () =>
  ensureJars({
    name: 'openapi-generator',
    pom: 'test/api/operation/openapi-generator.xml',
    size: '30 MB',
    tried: ['org.openapitools.codegen.OpenAPIGenerator', 'version'],
  })
