import test from 'ava'
import fc from 'fast-check'
import { createUtf8Decoder, invalid } from '../../../learn/formats/decode-utf8.ts'

function decoded(bytes: Uint8Array, size: number): string {
  const decoder = createUtf8Decoder()
  let text = ''
  for (let at = 0; at < bytes.length; at += size) text += decoder.push(bytes.subarray(at, at + size))
  return text + decoder.end()
}

test('text is what it was, however its bytes are cut, U+FFFD among its characters', (t) => {
  const unit = fc.constantFrom('a', '\n', 'ü', '€', '😀', '\ufffd', '\ufeff')
  fc.assert(
    fc.property(fc.string({ unit }), fc.integer({ min: 1, max: 9 }), (text, size) => {
      t.is(decoded(Buffer.from(text), size), text.startsWith('\ufeff') ? text.slice(1) : text)
    }),
  )
})

test('bytes that are no UTF-8 are marked where a decoder would put U+FFFD, and nothing else is', (t) => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'ü', '\ufffd').map((text) => ({ bytes: [...Buffer.from(text)], text })),
    fc
      .constantFrom([0xff], [0xc3], [0xe2, 0x82], [0x80])
      .map((bytes) => ({ bytes: [...bytes, 0x0a], text: `${invalid}\n` })),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
      const bytes = Uint8Array.from(pieces.flatMap((each) => each.bytes))
      t.is(decoded(bytes, size), pieces.map(({ text }) => text).join(''))
    }),
  )
})
