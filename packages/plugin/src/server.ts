/** The server's own readers of a plugin's HCL, for the test host. */
export { readView } from '../../../lib/plugins/views/read-view.ts'
export { readManifest } from '../../../lib/plugins/workspace-files/read-manifest.ts'
