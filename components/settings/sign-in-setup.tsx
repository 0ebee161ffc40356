import { type ReactNode, useState } from 'react'
import { Choices } from '#components/ui/choices.tsx'
import { CodeRow } from '#components/workspace/code-row.tsx'
import { SettingSection } from './setting-section.tsx'

/** The names and variables of the ways to sign in. */
const ways = {
  github: { label: 'GitHub', code: 'AUTH_GITHUB_ID=…\nAUTH_GITHUB_SECRET=…' },
  oidc: { label: 'OpenID', code: 'AUTH_OIDC_ID=…\nAUTH_OIDC_SECRET=…\nAUTH_OIDC_ISSUER=https://…' }
}
type Way = keyof typeof ways

/** How to let other people sign in, for a server in local mode. A provider calls `callbackUrl` with its name. */
export function SignInSetup({ callbackUrl }: { callbackUrl: string }) {
  const [way, setWay] = useState<Way>('github')
  const { label, code } = ways[way]
  return (
    <SettingSection
      title="Set up sign-in"
      hook="sign-in-setup"
      intro="In local mode, only you can sign in. Add a provider to invite people."
      action={
        <Choices
          label="Provider"
          chosen={way}
          choices={(['github', 'oidc'] as const).map(value => ({ value, label: ways[value].label }))}
          onChoose={setWay}
        />
      }
    >
      <ol className="divide-y border-y">
        <Step
          number={1}
          text={`Register Waystation at ${way === 'oidc' ? 'your OpenID provider' : label}, with this callback URL:`}
        >
          <CodeRow code={`${callbackUrl}/${way}`} />
        </Step>
        <Step number={2} text="Set these variables for the server, with the values that you get:">
          <CodeRow code={code} />
        </Step>
        <Step
          number={3}
          text="Restart the server and open the link that it prints. You then own this workspace with your new account."
        />
      </ol>
      <p className="text-muted">
        Other variables and providers: <code className="font-mono text-mono">docs/people.md</code>
      </p>
    </SettingSection>
  )
}

const Step = ({ number, text, children }: { number: number; text: string; children?: ReactNode }) => (
  <li className="flex gap-4 py-4">
    <span aria-hidden="true" className="text-muted tabular-nums">
      {number}
    </span>
    <div className="flex min-w-0 flex-1 flex-col gap-3">
      <p>{text}</p>
      {children}
    </div>
  </li>
)
