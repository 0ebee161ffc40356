import { startTwin } from '#tests/support/fakes/plugins/start-twin.ts'

/** A plugin in a process of its own, whose tool and stream say everything again. */
const { port } = await startTwin({ name: 'echo', views: [{ name: 'echo' }] })
process.send?.(port)
process.once('disconnect', () => process.exit(0))
