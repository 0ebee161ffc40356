import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Outcome, type Said } from '#components/ui/outcome.tsx'
import { SettingSection } from './setting-section.tsx'

/** Rotates the secret that signs the workspace's links (docs/operating.md). */
export function LinkSecret() {
  const [said, setSaid] = useState<Said>({ text: '' })
  const rotate = async () => {
    const reply = await replyTo(client.call('rotateLinkSecret'))
    setSaid(
      reply.ok
        ? { text: 'Link secret rotated. Earlier links no longer work.' }
        : { text: changeError(reply), failed: true }
    )
  }
  return (
    <SettingSection
      title="Rotate link secret"
      hook="link-secret"
      intro="This secret signs answer links, answer pages and callback links. Rotate it if a link may have leaked."
      action={
        <ConfirmButton
          data-hook="rotate-link-secret"
          title="Rotate the link secret?"
          description="All answer links, answer pages and callback links sent so far stop working. Pending calls stay open, and you can answer them in their sessions. External agents get a new callback link with their next message."
          act="Rotate secret"
          onAct={rotate}
        >
          Rotate secret…
        </ConfirmButton>
      }
    >
      <Outcome said={said} />
    </SettingSection>
  )
}
