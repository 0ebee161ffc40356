import { existsSync } from 'node:fs'

/** The path of the browser and its command-line flags. */
export type Chromium = { executablePath: string; args: string[] }

/**
 * Finds a Chromium that needs no download at test time: `$CHROMIUM`, or else the system's, or else the one that npm
 * installed. The last one unpacks itself and its libraries into the temporary directory once. Two processes must
 * not do this at the same time, so Playwright's config calls this function in its main process first.
 */
export async function findChromium(): Promise<Chromium> {
  // Without this flag, browsers differ in font hinting and therefore in text widths.
  const hinting = '--font-render-hinting=slight'
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', hinting]
  for (const path of [process.env.CHROMIUM, '/usr/bin/chromium'])
    if (path && existsSync(path)) return { executablePath: path, args }
  // The package reads this variable during the import to choose the libraries to unpack.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return { executablePath: await chromium.executablePath(), args: [...args, '--no-zygote'] }
}
