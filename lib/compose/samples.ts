import { log } from '#lib/kernel/log.ts'

/** The sentence for the log, and for a person who opens a sample that is not there. */
export const samplesMissing =
  'The sample services are not installed. Run `npm ci` without `--omit=dev`, or set WAYSTATION_LOCAL=off.'

type Samples = typeof import('@waystation/sample-acme')

/**
 * Loads the sample services (`packages/sample-acme`). Call it in local mode only: it is the one way to that package.
 * Returns undefined, and logs what to do, where the package is not installed.
 */
export async function loadSamples(): Promise<Samples | undefined> {
  try {
    return await import('@waystation/sample-acme')
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    log('warn', samplesMissing)
    return undefined
  }
}
