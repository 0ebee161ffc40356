import { fileSize, fileUrl } from '@waystation/protocol/session/stored-file.ts'
import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AttachedFiles, withFileData } from '#lib/engine/turn/attached-files.ts'
import { promptOf } from '#lib/engine/turn/prompt.ts'
import type { ContextEntry } from '#lib/engine/turn/turn.ts'
import { plan } from './plan-files.ts'

const all = { images: true, documents: true }
const fileOf = (size: number, n: number, mediaType = 'image/png') => ({
  type: 'file' as const,
  mediaType,
  filename: `${n}.png`,
  url: fileUrl('s', `file_${n}`),
  providerMetadata: { waystation: { size } }
})
const budget = 1000
const sizes = fc.array(fc.integer({ min: 1, max: 1500 }), { maxLength: 30 })

test('001-21: attachments: the files sent never exceed the budget and include the newest file that fits', () => {
  fc.assert(
    fc.property(sizes, fileSizes => {
      const files = fileSizes.map((size, n) => fileOf(size, n))
      const standing = plan(files, all, budget)
      const sent = files.filter(({ url }) => standing.get(url)?.as === 'file')
      expect(sent.reduce((sum, file) => sum + (fileSize(file) ?? 0), 0)).toBeLessThanOrEqual(budget)
      const fits = files.findLast(file => (fileSize(file) ?? 0) <= budget)
      if (fits !== undefined) expect(standing.get(fits.url)).toEqual({ as: 'file' })
    })
  )
})

test('001-21: attachments: another file changes no earlier file, or frees half of the budget', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: budget }), (fileSizes, size) => {
      const before = fileSizes.map((bytes, n) => fileOf(bytes, n))
      const last = fileOf(size, fileSizes.length)
      const [was, is] = [plan(before, all, budget), plan([...before, last], all, budget)]
      if (before.every(({ url }) => was.get(url)?.as === is.get(url)?.as)) return
      const remaining = before.filter(({ url }) => is.get(url)?.as === 'file')
      expect(remaining.reduce((sum, file) => sum + (fileSize(file) ?? 0), 0)).toBeLessThanOrEqual(budget / 2)
    })
  )
})

test('001-21: attachments: a prompt contains the URLs of files, and their bytes are added last', () => {
  const [image, other] = [fileOf(10, 1), fileOf(10, 2)]
  const entries: ContextEntry[] = [
    { id: 1, kind: 'user', parts: [{ type: 'text', text: 'Look' }, image, other], tokens: 0 }
  ]
  const files: AttachedFiles = {
    standing: new Map([
      [image.url, { as: 'file' }],
      [other.url, { as: 'text', text: 'The <note>text</note> of it.' }]
    ]),
    data: new Map([[image.url, 'Ynl0ZXM=']])
  }
  const prompt = promptOf(entries, { files })
  expect(prompt).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'file', data: image.url, mediaType: 'image/png', filename: '1.png' },
        {
          type: 'text',
          text: '<attached_file name="2.png" type="image/png" bytes="10">\nThe &lt;note>text&lt;/note> of it.\n</attached_file>'
        }
      ]
    }
  ])
  expect(JSON.stringify(withFileData(prompt, files))).toContain('Ynl0ZXM=')
  // A plugin can write a URL of another window. The prompt then contains no bytes of another session and
  // stays valid.
  const forged = structuredClone(prompt) as { content: { data?: string }[] }[]
  Object.assign(forged[0]?.content[1] ?? {}, { data: fileUrl('another', 'file_1') })
  expect(JSON.stringify(withFileData(forged as unknown as ModelMessage[], files))).toContain(
    'it is not available'
  )
})

test('001-21: attachments: the prompt of an entry depends on the files that the model accepts', () => {
  const image = fileOf(2048, 1)
  const entries: ContextEntry[] = [{ id: 1, kind: 'user', parts: [image], tokens: 0 }]
  const shown = (files?: AttachedFiles) => JSON.stringify(promptOf(entries, { files })[0]?.content)
  const standing = (takes: typeof all) => ({ standing: plan([image], takes, budget * 10), data: new Map() })
  expect(shown()).toContain('[attached: 1.png, image/png, 2 KB]')
  expect(shown(standing({ images: false, documents: true }))).toMatch(
    /\[attached: 1.png, image\/png, 2 KB; .+\]/
  )
  expect(shown(standing(all))).toContain('"type":"file"')
})
