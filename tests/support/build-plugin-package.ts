import { execFileSync } from 'node:child_process'

/** Builds the code of `@waystation/plugin`, which the examples import. Takes less than a second. */
export function setup(): void {
  execFileSync(process.execPath, ['packages/plugin/build.mjs', '--code'], { stdio: 'inherit' })
}
