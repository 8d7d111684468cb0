import test from 'ava'
import { Refusal } from '../../../base/refusal.ts'
import { readRegistry } from '../../../sql/source/registry.ts'

test('the location of a registry comes with its credentials', (t) => {
  for (const location of [
    { url: 'http://registry:8081' },
    { url: 'https://registry.example.com/apis/ccompat/v7', user: 'ann', password: 'a:b' },
  ])
    t.deepEqual(readRegistry(location, 'registry'), location)
})

test('a location that is wrong is refused at its place', (t) => {
  for (const [location, problems] of [
    [undefined, ['registry: is missing']],
    ['http://r', ['registry: must be an object']],
    [{}, ['registry.url: is missing']],
    [{ url: 'registry:8081' }, ['registry.url: must be a URL of http or https']],
    [{ url: 'registry' }, ['registry.url: must be a URL, such as https://registry.example.com:8081']],
    [{ url: 'file:///etc/passwd' }, ['registry.url: must be a URL of http or https']],
    [{ url: 'http://a:b@r' }, ['registry.url: must be without credentials: send them as `user` and `password`']],
    [{ url: 'http://r?a=1' }, ['registry.url: must be without ? and #']],
    [{ url: 'http://r', user: 'a:b' }, ['registry.user: must be without a colon']],
    [{ url: 'http://r', password: 'a' }, ['registry.user: is missing: a password goes with one']],
    [{ url: 'http://r', usr: 'a' }, ['registry.usr: is unknown; did you mean user?']],
  ] as const)
    t.deepEqual(
      t.throws(() => readRegistry(location, 'registry'), { instanceOf: Refusal })?.problems,
      problems as never,
    )
})
