'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useState } from 'react'
import { FormField } from '#components/forms/form-field.tsx'
import { lines, type TextFormat, words } from '#components/forms/text-format.ts'
import { Choices } from '#components/ui/choices.tsx'
import { CodeRow } from '#components/workspace/code-row.tsx'
import { OwnerSection, SettingForm } from './setting-section.tsx'

/** An empty list removes all origins. */
const origins: TextFormat = { ...lines, parse: typed => words.parse(typed) ?? [] }

/** The steps of docs/clients.md and docs/embedding.md. */
const steps = {
  Install: `# In the folder of Waystation
npm pack -w @waystation/client -w @waystation/react
# In your project
npm install ../waystation/waystation-{client,react}-0.1.0.tgz`,
  Server: `import { createClient } from '@waystation/client'

// An API key with the role editor. Never put it into a page.
const waystation = createClient({ url: '$URL', apiKey: process.env.WAYSTATION_KEY ?? '' })

// Return the token at /token, only to the signed-in user.
export async function tokenFor(userId: string) {
  const sessionId = \`support-\${userId}\`
  await waystation.sessions.create({ agentId: 'guide', sessionId, subject: userId })
  const { token } = await waystation.session(sessionId).tokens.create({
    subject: userId,
    scopes: ['read', 'send', 'answer']
  })
  return token
}`,
  Client: `import { createClient } from '@waystation/client'
import { Session, WaystationProvider } from '@waystation/react'
import '@waystation/react/style.css'

const client = createClient({ url: '$URL', token: () => fetch('/token').then(reply => reply.text()) })

export const Support = ({ userId }: { userId: string }) => (
  <WaystationProvider client={client} scopes={['read', 'send', 'answer']} me={userId}>
    <Session sessionId={\`support-\${userId}\`} agentName="Support" />
  </WaystationProvider>
)`
}
type Step = keyof typeof steps
const names = Object.keys(steps) as Step[]

/** The code that shows a session in another product, as steps. It has the URL of this server. */
function Snippet({ origin }: { origin: string }) {
  const [step, setStep] = useState<Step>('Install')
  return (
    <>
      <div>
        <Choices
          label="Step"
          chosen={step}
          choices={names.map(value => ({ value, label: value }))}
          onChoose={setStep}
        />
      </div>
      <CodeRow code={steps[step].replaceAll('$URL', origin)} />
    </>
  )
}

/** `origin` is the URL of the server. */
type EmbeddingProps = { workspace: Workspace | undefined; origin: string }

/**
 * Sets the origins that can use session tokens of the workspace (docs/embedding.md). `workspace` is undefined if
 * the user is not an owner.
 */
export const Embedding = ({ workspace, origin }: EmbeddingProps) => (
  <OwnerSection
    title="Embedding"
    hook="embedding"
    saved={workspace}
    intro="Show sessions in your own product: your server creates a session token for each user, and your page uses it."
  >
    {saved => (
      <>
        <Snippet origin={origin} />
        <SettingForm workspace={saved} settings={['allowedOrigins']}>
          <FormField
            name="allowedOrigins"
            as={origins}
            label="Allowed origins"
            hint="One per line. Session tokens from any other origin are rejected. Your own servers don't need an entry."
            placeholder="https://shop.example"
            rows={5}
            mono
          />
        </SettingForm>
      </>
    )}
  </OwnerSection>
)
