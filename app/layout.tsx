import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { themeOf } from '#components/browser/theme-of.ts'
import { Alive } from '#components/shell/alive.tsx'
import { earlyClicks } from '#components/shell/early-clicks.ts'
import { earlyText } from '#components/shell/early-text.ts'
import { ownOrigin } from '#lib/http/request/own-origin.ts'
import { readNonce } from '#lib/http/response/nonce.ts'
import './globals.css'

/** Renders every page on request, because its scripts carry the nonce of the request's security policy. */
export const dynamic = 'force-dynamic'

/** The files that it names are in `public/`. A page's own title is also the title of its link preview. */
export function generateMetadata(): Metadata {
  const image = {
    url: '/social.png',
    width: 1200,
    height: 630,
    alt: 'Waystation: an agent server for agents that wait'
  }
  return {
    title: { default: 'Waystation', template: '%s · Waystation' },
    description: 'Self-hosted agent server with durable approvals, questions and callbacks',
    robots: { index: false, follow: false },
    metadataBase: new URL(ownOrigin()),
    manifest: '/manifest.webmanifest',
    icons: {
      icon: [
        // Not "any": Chrome would use it instead of the SVG, which adapts to a dark theme.
        { url: '/favicon.ico', sizes: '32x32' },
        { url: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }
      ],
      apple: { url: '/apple-touch-icon.png', sizes: '180x180' }
    },
    openGraph: { type: 'website', siteName: 'Waystation', images: [image] },
    twitter: { card: 'summary_large_image', images: [image] }
  }
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  interactiveWidget: 'resizes-content',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#0f171c' }
  ]
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeOf((await cookies()).get('waystation.theme')?.value)
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme} suppressHydrationWarning>
      <body>
        {/* The browser hides a nonce from scripts, so React sees a different value than the server sent. */}
        {/* Restore text first, because a click can depend on it. */}
        <script
          data-early-clicks
          nonce={readNonce(await headers())}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own scripts, which take no input
          dangerouslySetInnerHTML={{ __html: `${earlyText};${earlyClicks}` }}
          suppressHydrationWarning
        />
        {children}
        <Alive />
      </body>
    </html>
  )
}
