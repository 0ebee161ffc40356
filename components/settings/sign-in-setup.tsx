import type { ReactNode } from 'react'
import { CodeRow } from '#components/workspace/code-row.tsx'
import { SettingSection } from './setting-section.tsx'

/** How to let other people sign in, for a server in local mode. `origin` is the server's URL. */
export const SignInSetup = ({ origin }: { origin: string }) => (
  <SettingSection
    title="Set up sign-in"
    hook="sign-in-setup"
    intro="In local mode, only you can sign in. Add a provider to invite people."
  >
    <ol className="divide-y border-y">
      <Step number={1} text="Register Waystation at GitHub or an OpenID provider, with this callback URL:">
        <Way name="GitHub" code={`${origin}/api/auth/callback/github`} />
        <Way name="OpenID" code={`${origin}/api/auth/callback/oidc`} />
      </Step>
      <Step number={2} text="Set these variables for the server, with the values that you get:">
        <Way name="GitHub" code={'AUTH_GITHUB_ID=…\nAUTH_GITHUB_SECRET=…'} />
        <Way name="OpenID" code={'AUTH_OIDC_ID=…\nAUTH_OIDC_SECRET=…\nAUTH_OIDC_ISSUER=https://…'} />
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

const Way = ({ name, code }: { name: string; code: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 mid:grid-cols-[64px_minmax(0,1fr)]">
    <p className="text-muted mid:pt-[5px]">{name}</p>
    <CodeRow code={code} />
  </div>
)
