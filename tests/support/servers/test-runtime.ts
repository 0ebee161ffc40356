import { parseEgressPolicy, safeFetch, streamingFetch } from '@waystation/egress'
import { afterAll, beforeAll } from 'vitest'
import { builderOn, connect } from '#db/client.ts'
import { workspaces } from '#db/schema/workspaces.ts'
import { featurePorts } from '#lib/compose/extensions.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import { openLimits } from '#lib/features/limits/open-limits.ts'
import { openStreamsWith } from '#lib/features/limits/open-streams.ts'
import { notifyWebhooks } from '#lib/features/webhooks/notify-webhooks.ts'
import { rateLimitsWith } from '#lib/infra/rate-limits.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import { openRuntime, type Runtime } from '#lib/kernel/runtime.ts'
import { readEnv } from '#lib/kernel/settings/env.ts'
import { defaultTiming } from '#lib/kernel/timing.ts'
import { serverProviders } from '#lib/models/configured.ts'
import { describeModelError } from '#lib/models/model-error.ts'
import { modelReader } from '#lib/models/read-models.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { sharedReaders } from '#tests/support/servers/readers.ts'

/** The admin key of the default workspace in tests. */
export const adminKey = 'an-admin-key-of-the-tests'

/** The runtime of a test. `closing` is the signal of a process that shuts down. */
export type OpenedRuntime = { runtime: Runtime; closing: AbortController }

/**
 * Opens a runtime for the endpoint tests of this file. It has its own database with the workspaces `default` and
 * `other`, is in local mode at `http://localhost:3000`, and has no worker.
 */
export function withRuntime(settings: Record<string, string> = {}): OpenedRuntime {
  const closing = new AbortController()
  const opened = { closing } as OpenedRuntime
  let close = async () => {}
  beforeAll(async () => {
    const database = await createDatabase()
    const sql = connect(database.url, { max: 4 })
    const db = builderOn(sql)
    await db
      .insert(workspaces)
      .values(['default', 'other'].map(id => ({ id, name: id, linkSecret: `link-secret-of-${id}` })))
    const env = readEnv({
      WAYSTATION_API_KEY: adminKey,
      AUTH_SECRET: 'a secret of thirty-two characters',
      WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
      ...settings
    })
    const { patterns, schemas, wikis } = sharedReaders()
    const takePlace = openLimits(env.maxConcurrent)
    opened.runtime = {
      sql,
      db,
      env,
      timing: defaultTiming,
      openedAt: performance.now(),
      closing: closing.signal,
      streams: openStreamsWith(takePlace, defaultTiming.accessCheckMs),
      ports: {
        notify: () => {},
        cancel: () => {},
        follow: async function* () {},
        origin: env.url,
        vault: vaultWith(env.vaultKeys),
        fetch: (url, init) => safeFetch(parseEgressPolicy('127.0.0.1,localhost'), url, init),
        integrations: [],
        isConnected: async () => false,
        notifyWebhooks: notifyWebhooks,
        enforceRateLimit: rateLimitsWith(sql, env.limits),
        acquireSlot: takePlace,
        patterns,
        schemas,
        wikis,
        ...featurePorts(),
        fileLimits: env.files,
        modelsOf: modelReader(
          { providers: serverProviders(env.environment), defaultModel: env.defaultModel },
          streamingFetch(parseEgressPolicy('127.0.0.1,localhost'))
        ),
        describeModelError: error => describeModelError(error),
        acceptedFiles: async () => ({ images: false, documents: false }),
        knowsModel: async () => true,
        listedTools: [{ name: 'web-fetch', description: 'Reads a page.', where: 'server', approval: 'ask' }],
        listedPlugins: [{ name: 'house-rules', description: 'What stays in.' }],
        async previewPrompt(ctx, { sessionId }) {
          await sessionKeyOf(ctx, sessionId)
          throw new Error('Without a worker, tests of routes preview no prompts.')
        }
      },
      health: async () => ({ ok: true, body: { status: 'ok', version: '0', database: 'ok', worker: 'ok' } }),
      metrics: async () => ({ type: 'text/plain', text: '' })
    }
    openRuntime(opened.runtime)
    close = async () => {
      await sql.end()
      await database.drop()
    }
  })
  afterAll(() => close())
  return opened
}
