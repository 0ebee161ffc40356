import type { CatalogueEntry } from '#lib/protocol/catalogue.ts'

const text = `You can propose changes to your own configuration: your instructions, your tools, your limits.

1. Call read_config first. It gives your configuration and base_revision_id, the revision that it is.
2. Change as little as the person asked for. Keep everything else as it was.
3. Call commit_revision with the base_revision_id that you read. The person sees what would change, and may approve, edit or decline it.
4. Approved: the new revision holds from your next step on. Say in one sentence what changed.
5. Declined: leave it as it is, and do not propose the same again unless asked.
6. A conflict means that somebody saved another revision meanwhile: call read_config again, and make your change to what is there now.

Never propose to give yourself more than the person asked for.`

/** How an agent changes its own configuration: read, propose, wait. */
export const editConfig: CatalogueEntry = {
  slug: '__ag__edit_config',
  uri: 'server:skill:edit_config:v0',
  kind: 'skill',
  name: 'Edit your own configuration',
  description: 'How to read the own configuration and to propose a change of it.',
  version: 'v0',
  embeddable: true,
  data: { parameters: { text } }
}
