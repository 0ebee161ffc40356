import { startTestPlugin } from '#tests/support/fakes/plugins/start-test-plugin.ts'

/** A plugin process whose tool and stream echo everything. */
const { port } = await startTestPlugin({ name: 'echo', views: [{ name: 'echo' }] })
process.send?.(port)
process.once('disconnect', () => process.exit(0))
