/**
 * `npm run icons` renders the pictures of `public/` from `public/favicon.svg`, which is drawn by hand: the icons of browsers and
 * home screens, and the picture that links are shown with. Run it after a change of the mark, of its colors or of the fonts.
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

/** Small on a tab, so the mark fills it. */
const tab = tileOf({ margin: 0, radius: 6 })
const rounded = tileOf({ margin: 2, radius: 7 })
/** A system cuts its own shape: iOS rounds the corners, Android may leave only a circle of 80 %. */
const whole = tileOf({ margin: 2, radius: 0 })
const maskable = tileOf({ margin: 5, radius: 0 })

const rastered = (svg: string, pixels: number) =>
  sharp(Buffer.from(svg), { density: (72 * pixels) / 32 }).resize(pixels, pixels)
/** Few colors and their blends are all there are. */
const small = { palette: true, colors: 64, effort: 10, compressionLevel: 9 } as const

const write = (name: string, bytes: Buffer) => writeFileSync(join(root, 'public', name), bytes)

const favicons = [16, 32, 48].map(async size => ({ size, png: await rastered(tab, size).png().toBuffer() }))
write('favicon.ico', icoOf(await Promise.all(favicons)))
write('icon-192.png', await rastered(rounded, 192).png(small).toBuffer())
write('icon-512.png', await rastered(rounded, 512).png(small).toBuffer())
write('icon-maskable-512.png', await rastered(maskable, 512).removeAlpha().png(small).toBuffer())
write('apple-touch-icon.png', await rastered(whole, 180).removeAlpha().png(small).toBuffer())

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
