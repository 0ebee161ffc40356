import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { themeOf } from '#components/shell/theme-of.ts'
import './globals.css'

/** Every page is made on request: its scripts carry the nonce of that request's policy. */
export const dynamic = 'force-dynamic'

export const metadata: Metadata = {
  title: { default: 'Waystation', template: '%s · Waystation' },
  description: 'Agents that wait',
  robots: { index: false, follow: false }
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  interactiveWidget: 'resizes-content',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f4f7f8' },
    { media: '(prefers-color-scheme: dark)', color: '#0f171c' }
  ]
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeOf((await cookies()).get('waystation.theme')?.value)
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme} suppressHydrationWarning>
      <body>{children}</body>
    </html>
  )
}
