import { createClient } from '@waystation/client'
import { Session, useWaiting, WaystationProvider } from '@waystation/react'
import { createRoot } from 'react-dom/client'
import '@waystation/react/style.css'
import './page.css'

const getJson = path => fetch(path).then(response => response.json())
const { url, sessionId, scopes, user } = await getJson('/me')
const client = createClient({ url, token: () => getJson('/token') })

function Waiting() {
  const { calls } = useWaiting()
  return <p role="status">{calls.length === 0 ? 'Nothing waits.' : `Waiting: ${calls.length}`}</p>
}

createRoot(document.querySelector('main')).render(
  <WaystationProvider client={client} scopes={scopes} me={user} approvers="our support team">
    <h1>Ask us</h1>
    <Waiting />
    <div className="room">
      <Session sessionId={sessionId} agentName="Support" />
    </div>
  </WaystationProvider>
)
