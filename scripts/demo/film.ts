import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { type Line, stripOf } from './strip.ts'

const size = { width: 1000, height: 620 }
const stripHeight = 112

/** Records an animation: screenshots of a page above a strip with a caption and a terminal. */
export class Film {
  #frames: { image: Buffer; ms: number }[] = []
  #caption = ''
  #lines: Line[] = []
  #strip: Page
  readonly page: Page

  private constructor(page: Page, strip: Page) {
    this.page = page
    this.#strip = strip
  }

  /** Opens the page to record and the strip, in the given color scheme. */
  static async of(browser: Browser, colorScheme: 'light' | 'dark'): Promise<Film> {
    const context = await browser.newContext({
      viewport: size,
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-US'
    })
    const strip = await browser.newPage({ viewport: { width: size.width, height: stripHeight } })
    return new Film(await context.newPage(), strip)
  }

  /** Sets the caption. It stays until the next call. */
  caption(text: string): void {
    this.#caption = text
  }

  /** Adds a line to the terminal, which shows the last two lines. */
  prints(text: string, kind: Line['kind'] = 'output'): void {
    this.#lines = [...this.#lines, { text, kind }].slice(-2)
  }

  /** Records the current page for `ms` milliseconds. */
  async shows(ms: number): Promise<void> {
    await this.#strip.setContent(stripOf(this.#caption, this.#lines))
    const [page, strip] = await Promise.all([this.page.screenshot(), this.#strip.screenshot()])
    const image = await sharp({
      create: { width: size.width, height: size.height + stripHeight, channels: 3, background: '#000' }
    })
      .composite([
        { input: page, top: 0, left: 0 },
        { input: strip, top: size.height, left: 0 }
      ])
      .png()
      .toBuffer()
    const last = this.#frames.at(-1)
    if (last?.image.equals(image)) last.ms += ms
    else this.#frames.push({ image, ms })
  }

  /** Records until `isTrue` returns true, four frames a second. Throws after 60 frames. */
  async until(isTrue: () => Promise<boolean>): Promise<void> {
    for (let n = 0; n < 60; n++) {
      if (await isTrue()) return
      await this.shows(250)
      await this.page.waitForTimeout(150)
    }
    throw new Error(`It did not happen: ${this.#caption}`)
  }

  /** Writes all frames as an animated WebP that repeats forever. Returns its size in bytes. */
  async write(path: string): Promise<number> {
    const { size } = await sharp(
      this.#frames.map(({ image }) => image),
      { join: { animated: true } }
    )
      .webp({ quality: 72, effort: 6, loop: 0, delay: this.#frames.map(({ ms }) => ms) })
      .toFile(path)
    return size
  }
}
