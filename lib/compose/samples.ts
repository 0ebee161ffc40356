import { log } from '@waystation/base/log.ts'

/** The message for the log, and for users who open a sample that is not installed. */
export const samplesMissing =
  'The sample services are not installed. Run `npm ci` without `--omit=dev`, or set WAYSTATION_LOCAL=off.'

type Samples = typeof import('@waystation/sample-acme')

/**
 * Loads the sample services (`packages/sample-acme`). Call it only in local mode: no other code imports that
 * package. If the package is not installed, it logs what to do and returns undefined.
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
