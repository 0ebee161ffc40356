import { supervise } from '@waystation/plugin-host/supervise.ts'

/**
 * A server with only one plugin, for tests that kill it. Prints the process ID of the plugin when the plugin
 * serves.
 */
const [command = '', script = '', protos = ''] = process.argv.slice(2)
const plugin = supervise({
  name: 'probe',
  source: { kind: 'local', command, args: [script], cwd: process.cwd() },
  config: {},
  envVars: { PYTHONPATH: protos },
  onState: ({ kind }) => setImmediate(() => kind === 'serving' && console.log(plugin.pid))
})
