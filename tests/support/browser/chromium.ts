import { existsSync } from 'node:fs'

/** Where the browser is, and with which switches it starts. */
export type Chromium = { executablePath: string; args: string[] }

/**
 * A Chromium that needs no download at test time: `$CHROMIUM`, else the system's, else the one npm installed. That
 * one unpacks itself (and the libraries it wants) into the temporary directory once, so it must not be asked for the
 * first time by two processes at once; Playwright's config is, in its main process, before there are others.
 */
export async function findChromium(): Promise<Chromium> {
  // The browsers differ in how they hint letters where nobody says it, and with that in how wide a text is.
  const hinting = '--font-render-hinting=slight'
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', hinting]
  for (const path of [process.env.CHROMIUM, '/usr/bin/chromium'])
    if (path && existsSync(path)) return { executablePath: path, args }
  // It looks at this while it is imported: which of its libraries to unpack.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return { executablePath: await chromium.executablePath(), args: [...args, '--no-zygote'] }
}
