import type { AgentOverlay, EmbeddedSkill } from '@waystation/protocol/agent/agent.ts'
import type { OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'
import { connectFirst } from './connect-first.ts'
import { editConfig } from './edit-config.ts'
import { requestConnection } from './request-connection.ts'

const skill = ({ slug, name }: OfferedEntry): EmbeddedSkill => ({
  '@ag.embed': { '@ag.references': { workflow: { slug } }, '@ag.selector': { path: 'parameters' } },
  name
})

const overlay: AgentOverlay = {
  tools: [
    {
      '@ag.embed': {
        '@ag.references': { workflow: { slug: requestConnection.slug } },
        '@ag.selector': { path: 'parameters.tool' }
      },
      name: 'request_connection'
    },
    { name: 'discover_connections' },
    { name: 'discover_catalog' },
    { name: 'read_config' },
    { name: 'commit_revision' }
  ],
  skills: [skill(connectFirst), skill(editConfig)]
}

/**
 * The overlay that an agent has while a user builds it in a playground. It is never saved and cannot be embedded
 * (002-8).
 */
export const buildKitEntry = {
  slug: '__ag__build_kit',
  uri: 'server:overlay:build_kit:v0',
  kind: 'overlay',
  name: 'Build kit',
  description: 'Adds tools and skills to an agent while you build it in the playground.',
  version: 'v0',
  embeddable: false,
  data: { parameters: { overlay } }
} satisfies OfferedEntry
