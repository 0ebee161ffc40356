/**
 * `npm run icons` renders the images in `public/` from the hand-drawn `public/favicon.svg`: the icons for browsers
 * and home screens, and the preview image for links. Run it after a change to the logo, its colors or the fonts.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { root } from '#scripts/setup/root.mjs'
import { findChromium } from '#tests/support/browser/chromium.ts'
import { icoOf } from './ico.ts'
import { tileOf } from './mark.ts'
import { size, social } from './social.ts'

/** A browser tab shows the icon small, so the logo fills the tile. */
const tab = tileOf({ margin: 0, radius: 6 })
const rounded = tileOf({ margin: 2, radius: 7 })
/** Systems crop these icons: iOS rounds the corners, and Android can keep only a circle of 80 %. */
const square = tileOf({ margin: 2, radius: 0 })
const maskable = tileOf({ margin: 5, radius: 0 })

const rasterize = (svg: string, pixels: number) =>
  sharp(Buffer.from(svg), { density: (72 * pixels) / 32 }).resize(pixels, pixels)
/** The logo has few colors and blends of them, so a small palette is enough. */
const small = { palette: true, colors: 64, effort: 10, compressionLevel: 9 } as const

const write = (name: string, bytes: Buffer) => writeFileSync(join(root, 'public', name), bytes)

const favicons = [16, 32, 48].map(async size => ({ size, png: await rasterize(tab, size).png().toBuffer() }))
write('favicon.ico', icoOf(await Promise.all(favicons)))
write('icon-192.png', await rasterize(rounded, 192).png(small).toBuffer())
write('icon-512.png', await rasterize(rounded, 512).png(small).toBuffer())
write('icon-maskable-512.png', await rasterize(maskable, 512).removeAlpha().png(small).toBuffer())
write('apple-touch-icon.png', await rasterize(square, 180).removeAlpha().png(small).toBuffer())

const browser = await chromium.launch(await findChromium())
try {
  const page = await browser.newPage({ viewport: size })
  await page.setContent(social)
  await page.evaluate(() => document.fonts.ready)
  write(
    'social.png',
    await sharp(await page.screenshot())
      .png(small)
      .toBuffer()
  )
} finally {
  await browser.close()
}
