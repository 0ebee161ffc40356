import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { icoOf } from './ico.ts'
import { colorOf } from './mark.ts'

type Icon = { src: string; sizes: string; type: string; purpose?: string }

const text = (name: string) => readFileSync(`public/${name}`, 'utf8')
const manifest = JSON.parse(text('manifest.webmanifest'))
const icons: Icon[] = manifest.icons
const pictureIn = (name: string) => sharp(`public/${name}`).metadata()

test('each icon of the manifest exists, in the format and the size that the manifest declares', async () => {
  for (const { src, sizes, type } of icons) {
    const { format, width, height } = await pictureIn(src)
    expect(type, src).toBe(format === 'svg' ? 'image/svg+xml' : `image/${format}`)
    expect(sizes, src).toBe(format === 'svg' ? 'any' : `${width}x${height}`)
  }
  expect(icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable'])
  )
})

test('favicon.ico has images of 16, 32 and 48 pixels', async () => {
  const ico = readFileSync('public/favicon.ico')
  expect(ico.readUInt16LE(4)).toBe(3)
  const pictures = [0, 1, 2].map(index => {
    const entry = 6 + 16 * index
    const [length, offset] = [ico.readUInt32LE(entry + 8), ico.readUInt32LE(entry + 12)]
    return { size: ico.readUInt8(entry), png: ico.subarray(offset, offset + length) }
  })
  expect(pictures.map(({ size }) => size)).toEqual([16, 32, 48])
  for (const { size, png } of pictures)
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: size, height: size })
  expect(icoOf(pictures)).toEqual(ico)
})

test('images that a system or another site crops are opaque and have their full size', async () => {
  for (const [name, width, height] of [
    ['apple-touch-icon.png', 180, 180],
    ['icon-maskable-512.png', 512, 512],
    ['social.png', 1200, 630]
  ] as const)
    expect(await pictureIn(name), name).toMatchObject({ format: 'png', width, height, hasAlpha: false })
})

test('the logo and the manifest use only colors of the theme', () => {
  const theme = readFileSync('components/ui/theme.css', 'utf8')
  const colors = text('favicon.svg').match(/#[0-9a-f]{3,8}\b/gi) ?? []
  expect(colors).toHaveLength(4)
  expect(colors.filter(color => !theme.includes(color))).toEqual([])
  expect(manifest).toMatchObject({ background_color: colorOf('ground'), theme_color: colorOf('ground') })
})

test('robots.txt disallows all crawlers', () => {
  expect(text('robots.txt')).toMatch(/^User-agent: \*\nDisallow: \/\n$/m)
  expect(text('robots.txt')).not.toMatch(/^Allow/im)
})
