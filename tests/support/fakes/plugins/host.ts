import { supervise } from '#lib/plugins/grpc/supervise.ts'

/** A server of nothing but one plugin, to be killed: prints the plugin's process when it serves. */
const [command = '', script = '', protos = ''] = process.argv.slice(2)
const plugin = supervise({
  name: 'probe',
  source: { kind: 'local', command, args: [script], cwd: process.cwd() },
  config: {},
  envVars: { PYTHONPATH: protos },
  onState: ({ kind }) => setImmediate(() => kind === 'serving' && console.log(plugin.pid))
})
