import type { OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'

const text = `You can propose changes to your own configuration: your instructions, tools and limits.

1. Call read_config first. It returns your configuration and its base_revision_id.
2. Change only what the user asked for. Leave everything else as it is. If you need a tool or a skill, call discover_catalog and add the value that it returns.
3. Call commit_revision with that base_revision_id. An approver sees the change and can approve, edit or decline it.
4. If the change is approved, it takes effect with your next step. Say in one sentence what changed.
5. If it is declined, leave the configuration as it is. Do not propose the same change again unless the user asks.
6. If you get a conflict, the configuration has changed since you read it. Call read_config again and apply your change to the new version.

Never propose to give yourself more than the user asked for.`

/** The skill of changing one's own configuration: read it, propose a change and wait for approval. */
export const editConfig: OfferedEntry = {
  slug: '__ag__edit_config',
  uri: 'server:skill:edit_config:v0',
  kind: 'skill',
  name: 'Edit your own configuration',
  description: 'Explains how an agent reads its own configuration and proposes a change.',
  version: 'v0',
  embeddable: true,
  data: { parameters: { text } }
}
